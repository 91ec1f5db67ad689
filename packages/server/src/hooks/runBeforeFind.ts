import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookEvent, HookHandler } from '../context/Registry.ts'

/** Calls hooks with a query, one after another. Answers the query to ask instead. */
export async function runBeforeFind(
  handlers: readonly HookHandler[],
  caller: Caller,
  told: Pick<HookEvent, 'className' | 'isGet' | 'isCount'> & { query: WireFields },
): Promise<WireFields> {
  let { query } = told
  for (const handle of handlers) {
    const event = { ...structuredClone({ ...told, query }), hook: 'beforeFind' as const, caller: codeCallerOf(caller) }
    query = (await handle(event))?.query ?? query
  }
  return query
}
