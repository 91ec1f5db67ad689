import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { Registry } from '../context/Registry.ts'
import { createSlots, type Slots } from './createSlots.ts'
import { withTimeLimit } from './withTimeLimit.ts'

const slots = new WeakMap<Registry, Slots>()

/** Runs a function of the application by its name: within its time, and beside so many others at most. */
export async function runFunction(
  context: Context,
  caller: Caller,
  name: string,
  params: WireFields,
): Promise<WireValue | undefined> {
  // A Map: names of requests must not find what objects have by birth, such as `constructor`.
  const found = context.registry.functions.get(name)
  if (!found) throw new CountersignError('ScriptFailed', `Invalid function: "${name.slice(0, 200)}"`)
  const limit = found.timeout ?? context.config.functions.timeout
  return withTimeLimit(limit, `The function ${name}`, (signal) => {
    const run = () => found.run({ name, params, caller: codeCallerOf(caller), signal })
    // Functions that wait in their places for functions that wait for a place would wait for ever.
    return caller.isCode ? run() : slotsOf(context).run(signal, run)
  })
}

function slotsOf({ registry, config }: Context): Slots {
  const known = slots.get(registry)
  if (known) return known
  const { concurrency } = config.functions
  const made = createSlots(concurrency, concurrency * 10)
  slots.set(registry, made)
  return made
}
