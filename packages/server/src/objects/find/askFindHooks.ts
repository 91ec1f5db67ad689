import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { askSubqueries } from '../../hooks/askSubqueries.ts'
import { findHooks, runBeforeFind } from '../../hooks/runHooks.ts'
import type { Find } from '../../queries/readFind.ts'

/** Query after the hooks, unchanged if there are none. */
export async function askFindHooks(
  context: Context,
  caller: Caller,
  className: string,
  input: WireFields,
  { limit, count }: Pick<Find, 'limit' | 'count'>,
): Promise<WireFields> {
  if (context.registry.hooks.size === 0) return input
  const handlers = findHooks(context, 'beforeFind', className)
  const description = { className, query: input, isGet: false, isCount: count && limit === 0 }
  const query = handlers ? await runBeforeFind(handlers, caller, description) : input
  const where = await askSubqueries(context, caller, query.where)
  return where === query.where ? query : { ...query, where: where ?? {} }
}
