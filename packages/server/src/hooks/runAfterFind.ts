import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookEvent } from '../context/Registry.ts'
import { findHooks } from './findHooks.ts'

/** Calls hooks with what was found. Answers the objects that the caller gets. */
export async function runAfterFind(
  context: Context,
  caller: Caller,
  told: Pick<HookEvent, 'className' | 'query' | 'isGet'> & { objects: WireFields[] },
): Promise<WireFields[]> {
  const handlers = findHooks(context, 'afterFind', told.className)
  let { objects } = told
  if (!handlers) return objects
  for (const handle of handlers) {
    const event = { ...structuredClone({ ...told, objects }), hook: 'afterFind' as const, caller: codeCallerOf(caller) }
    objects = (await handle(event))?.objects ?? objects
  }
  return objects
}
