import type { LiveQueryText } from '@countersign/protocol'
import { type FindRequest, writeQuery } from '../documents/findDocuments.ts'
import type { Query } from '../documents/Query.ts'
import type { LiveEvent } from '../state/LiveWire.ts'
import { writeLiveQuery } from './openLive.ts'
import { type Order, type Row, readOrder, readSorts } from './readOrder.ts'

/** Rows beyond the wanted ones are kept for the time when one is lost, but not without end. */
const spare = 100

/** Servers return no more than this in one response, unless configured otherwise. */
const usualMost = 1_000

/** Reading needed after an event: none, the row of the event, or all rows. */
export type Need = 'nothing' | 'row' | 'rows'

type LiveRows = {
  /** Replaces all rows with the server's result. */
  readonly adopt: (found: readonly Row[]) => void
  readonly apply: (event: LiveEvent) => Need
  /** Takes a row as the server gave it when it was asked for; none, if it did not find it. */
  readonly settle: (objectId: string, row: Row | undefined) => Need
  readonly list: () => readonly Row[]
}

/** Window in which stale events may still arrive. */
const raceTime = 5_000

/** Rows of a live query: the last response with later events applied. */
export function createLiveRows({
  order,
  wanted,
  from,
  isPartial,
}: Pick<LivePlan, 'order' | 'wanted' | 'from' | 'isPartial'>): LiveRows {
  /** Rows as last found, if only the server can order them. */
  let found: readonly Row[] = []
  let window: LiveWindow | undefined
  let foundAt = 0

  function move(next: LiveWindow | undefined): Need {
    if (!next) return 'rows'
    window = next
    return lacksRows(next) ? 'rows' : 'nothing'
  }

  function drop(objectId: string): Need {
    if (window) return move(removeRow(window, objectId))
    found = found.filter((row) => row.objectId !== objectId)
    return 'rows'
  }

  /**
   * A response may be newer than an event that arrives after it. Only for a while: the clocks of two servers may
   * differ, and the event with the older time may be the later change.
   */
  function isOutdated({ object }: LiveEvent): boolean {
    if (Date.now() - foundAt > raceTime) return false
    const updatedAt = found.find(({ objectId }) => objectId === object.objectId)?.updatedAt
    return typeof updatedAt === 'string' && typeof object.updatedAt === 'string' && object.updatedAt < updatedAt
  }

  return {
    adopt(rows) {
      found = rows
      foundAt = Date.now()
      window = order && openWindow(order, wanted, rows)
    },
    apply(event) {
      const { op, object } = event
      if (!isRow(object)) return 'rows'
      if (isOutdated(event)) return 'nothing'
      if (op === 'leave' || op === 'delete') return drop(object.objectId)
      const next = window && moveRow(window, object)
      if (isPartial && next?.rows.includes(object)) return 'row'
      return move(next)
    },
    settle(objectId, row) {
      if (!row) return drop(objectId)
      return move(window && moveRow(window, row))
    },
    list: () => (window?.rows ?? found).slice(from, wanted),
  }
}

export function isRow(object: object): object is Row {
  return 'objectId' in object && typeof object.objectId === 'string'
}

/** Returns true if rows were lost and the next ones are unknown: the server has to be asked. */
export function lacksRows({ rows, wanted, edge }: LiveWindow): boolean {
  return edge !== undefined && rows.length < wanted
}

/** Takes a row out that the query no longer finds. */
export function removeRow(window: LiveWindow, objectId: string): LiveWindow {
  const rows = window.rows.filter((row) => row.objectId !== objectId)
  return rows.length === window.rows.length ? window : { ...window, rows }
}

/** Window over the server's rows; undefined if its order differs from ours, as in a database with its own rules. */
export function openWindow(order: Order, wanted: number, found: readonly Row[]): LiveWindow | undefined {
  const isOrdered = found.every((row, index) => {
    const former = found[index - 1]
    return !former || (order(former, row) ?? 1) < 0
  })
  if (!isOrdered) return undefined
  const isWhole = found.length < Math.min(wanted, usualMost)
  return { order, wanted, rows: found, edge: isWhole ? undefined : found.at(-1) }
}

/** Puts a row that the query finds in its place, wherever it was before; undefined where only the server knows it. */
export function moveRow(window: LiveWindow, row: Row): LiveWindow | undefined {
  const { order, wanted, edge } = window
  if (wanted === 0) return window
  const rest = window.rows.filter(({ objectId }) => objectId !== row.objectId)
  const toEdge = edge ? order(row, edge) : 0
  if (toEdge === undefined) return undefined
  if (toEdge > 0) return { ...window, rows: rest }
  const place = findPlace(window, rest, row)
  if (place === undefined) return undefined
  const rows = [...rest.slice(0, place), row, ...rest.slice(place)]
  if (rows.length <= wanted + spare) return { ...window, rows }
  const kept = rows.slice(0, wanted + spare / 2)
  return { ...window, rows: kept, edge: kept.at(-1) }
}

function findPlace({ order }: LiveWindow, rows: readonly Row[], row: Row): number | undefined {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = rows[middle]
    const outcome = other && order(other, row)
    if (outcome === undefined) return undefined
    if (outcome < 0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Rows of a query, updated by events. `rows` are all rows up to `edge`, in order; rows beyond it are only on the
 * server. Without an edge there are none.
 */
export type LiveWindow = {
  readonly order: Order
  /** How many rows are wanted from the first on. */
  readonly wanted: number
  readonly rows: readonly Row[]
  readonly edge: Row | undefined
}

/** Plan for keeping a live query current. */
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
  /** Fields read only for the order, or not selected. */
  readonly hidden: ReadonlySet<string>
}

const usualLimit = 100

/** Maximum of held rows: holding more, only to know the rows before the shown ones, costs more than another read. */
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

/** Returns true for a `$near` query without an order, which is sorted by distance. */
function isByDistance({ where, order = [] }: Query<string, unknown>): boolean {
  return order.length === 0 && JSON.stringify(where ?? {}).includes('"$near')
}

/** Fields of every document, with any keys. */
const always = new Set(['objectId', 'createdAt', 'updatedAt'])
