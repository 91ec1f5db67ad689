import type { LiveQueryText } from '@countersign/protocol'
import type { Query } from '../documents/QueryOptions.ts'
import { type FindRequest, writeQuery } from '../documents/writeQuery.ts'
import { type Order, readOrder, readSorts } from './readOrder.ts'
import { writeLiveQuery } from './writeLiveQuery.ts'

/** How a live query is kept current. */
export type LivePlan = {
  readonly className: string
  readonly text: LiveQueryText
  readonly find: FindRequest
  /** The order that events are put in; without one, the server is asked again after each. */
  readonly order: Order | undefined
  /** How many rows are held, and which of them are shown. */
  readonly wanted: number
  readonly from: number
  /** Events do not carry all that is shown, such as objects that are read along. */
  readonly isPartial: boolean
  /** Fields that were read for the order alone, or that nobody asked for. */
  readonly hidden: ReadonlySet<string>
}

const usualLimit = 100
/** Holding more, only to know what comes before what is shown, would cost more than asking again. */
const mostHeld = 1_000

export function readPlan(query: Query<string, unknown>): LivePlan {
  const { className, order: sorting = [], limit = usualLimit, skip = 0, keys = [], excludeKeys = [] } = query
  const order = skip + limit <= mostHeld && !isByDistance(query) ? readOrder(sorting) : undefined
  const from = order ? skip : 0
  const wanted = from + limit
  const sorts = (readSorts(sorting) ?? []).map(({ field }) => field).filter((field) => !always.has(field))
  const heads = new Set(keys.map((key) => key.split('.')[0]))
  const missing = sorts.filter((field) => (keys.length > 0 && !heads.has(field)) || excludeKeys.includes(field))
  const asked = {
    ...query,
    limit: wanted,
    ...(order && { skip: 0 }),
    ...(keys.length > 0 && { keys: [...keys, ...missing] }),
    excludeKeys: excludeKeys.filter((key) => !missing.includes(key)),
  }
  return {
    className,
    text: writeLiveQuery(query, missing),
    find: writeQuery(asked),
    order,
    wanted,
    from,
    isPartial: (query.include?.length ?? 0) > 0 || keys.some((key) => key.includes('.') || key.startsWith('$')),
    hidden: new Set([...missing, ...excludeKeys]),
  }
}

/** Without an order of its own, what is asked to be near comes in the order of distance. */
function isByDistance({ where, order = [] }: Query<string, unknown>): boolean {
  return order.length === 0 && JSON.stringify(where ?? {}).includes('"$near')
}

/** What every object has, whatever keys are asked for. */
const always = new Set(['objectId', 'createdAt', 'updatedAt'])
