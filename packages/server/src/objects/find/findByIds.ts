import type { Context } from '../../context/Context.ts'
import { all, always, type Condition } from '../../queries/Condition.ts'
import { unexpired } from '../../queries/unexpired.ts'
import type { ReadyFind } from './writeFind.ts'

/** Query for the objects with these ids. */
export function findByIds(
  { clock }: Pick<Context, 'clock'>,
  { access, schema, decision, stale }: Pick<ReadyFind, 'access' | 'schema' | 'decision' | 'stale'>,
  ids: string[],
  narrowed: Condition = always,
): ReadyFind {
  const place = { field: 'objectId', type: 'String', path: [] } as const
  // Twice the one id: a list of one would be written as another statement than a list of many.
  const values = ids.length === 1 ? [...ids, ...ids] : ids
  const condition = all([{ kind: 'equals', place, values }, unexpired(schema, clock.now()), narrowed])
  return { access, schema, decision, stale, condition, sorts: [] }
}
