import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { z } from 'zod'
import { fillFileUrlsIn } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { callerOf, codeCallerOf } from '../context/codeCaller.ts'
import type { CodeCaller } from '../context/Registry.ts'
import { safeParseAsync } from '../encoding/safeParse.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { networkOf } from '../network/clientAddress.ts'
import { rateKeyOf } from '../users/tokens/holdCredential.ts'
import { createSemaphore, type Semaphore } from './createSemaphore.ts'
import type { CallLimit, FunctionDefinition, FunctionTools, Tools } from './Definition.ts'
import { decodeObject, decodeValue, encodeValue } from './values.ts'
import { withTimeLimit } from './withTimeLimit.ts'

declare module '../context/Context.ts' {
  interface Services {
    /** Places of the functions that run at once. */
    functionSlots?: Semaphore
  }
}

/** Runs a function of the application by its name: within its time, and beside so many others at most. */
async function runFunction(
  context: Context,
  caller: Caller,
  name: string,
  params: WireFields,
): Promise<WireValue | undefined> {
  // A Map: names of requests must not find what objects have by birth, such as `constructor`.
  const found = context.registry.functions.get(name)
  if (!found) throw new CountersignError('ScriptFailed', `Invalid function: "${name.slice(0, 200)}"`)
  const ms = found.timeoutMs ?? context.config.functions.timeoutMs
  return withTimeLimit(ms, `The function ${name}`, (limit) => {
    const run = () => found.run({ name, params, caller: codeCallerOf(caller), limit })
    // Functions that wait in their places for functions that wait for a place would wait for ever.
    return caller.isCode ? run() : slotsOf(context).run(limit, run)
  })
}

function slotsOf({ services, config }: Context): Semaphore {
  const { concurrency } = config.functions
  services.functionSlots ??= createSemaphore(concurrency, concurrency * 10)
  return services.functionSlots
}

/**
 * Checks the input, runs the handler, checks and encodes the output. The same in the server and in isolated processes.
 */
export async function runHandler(
  definition: FunctionDefinition,
  name: string,
  params: WireFields,
  tools: Tools,
): Promise<WireValue | undefined> {
  const input = await readInput(definition.input, name, decodeValue(params))
  const record = tools.caller.user
  const user = record && decodeObject('_User', record)
  const answer = await definition.handle(Object.assign(tools, { input, user }) as FunctionTools<never, never>)
  const output = definition.output ? await readOutput(definition.output, name, answer) : answer
  return output === undefined ? undefined : encodeValue(output, 'answer', `The result of ${name}`)
}

async function readInput(schema: z.ZodType | undefined, name: string, params: unknown): Promise<unknown> {
  if (!schema) return params
  const read = await safeParseAsync(schema, params)
  if (read.success) return read.data
  const mistakes = read.error.issues.map(describe)
  throw new CountersignError('ValidationError', `Invalid call of ${name}: ${mistakes[0]}`, {
    ...(mistakes.length > 1 && { details: mistakes.slice(0, 20).join('\n') }),
  })
}

async function readOutput(schema: z.ZodType, name: string, answer: unknown): Promise<unknown> {
  const read = await safeParseAsync(schema, answer)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new CountersignError(
    'ScriptFailed',
    `${name} returned a value that does not match its output schema: ${issue && describe(issue)}`,
  )
}

function describe({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}

const mostWindows = 20_000

/** Counts the calls of a function by its caller, and refuses those over its limit. The master key is not counted. */
export function createCallCounter(
  { count: most, window: length, by = 'user' }: CallLimit,
  name: string,
  { limits }: Context,
): (caller: CodeCaller) => Promise<void> {
  const counter = limits.open(`function ${name}`, mostWindows)
  return async (caller) => {
    if (caller.isMaster) return
    const userId = by === 'user' ? caller.user?.objectId : undefined
    const { token } = callerOf(caller)
    const guest = token ? rateKeyOf(token) : `address ${networkOf(caller.ipAddress)}`
    const key = userId === undefined ? guest : `user ${userId}`
    const { isAllowed, reset } = await counter.take(key, { most, length })
    if (isAllowed) return
    throw new CountersignError('RequestLimitExceeded', `Too many calls of ${name}. Try again in ${reset} s.`, {
      rateLimit: { limit: most, remaining: 0, reset, retryAfter: reset },
    })
  }
}

/** Result of an application function, in the form for clients. */
export async function answerFunction(
  context: Context,
  caller: Caller,
  name: string,
  params: WireFields,
): Promise<{ result?: WireValue }> {
  const result = await runFunction(context, caller, name, params)
  // A function may pass on a file that its caller, or somebody else, sent.
  fillFileUrlsIn(context, result)
  return result === undefined ? {} : { result }
}

export const runFunctionEndpoint = defineEndpoint('runFunction', {
  handle: ({ context, caller, input, params }) => answerFunction(context, caller, params._function, input),
})
