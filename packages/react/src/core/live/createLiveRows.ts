import type { LiveWindow } from './LiveWindow.ts'
import type { LiveEvent } from './LiveWire.ts'
import { lacksRows } from './lacksRows.ts'
import { moveRow } from './moveRow.ts'
import { openWindow } from './openWindow.ts'
import type { Row } from './readOrder.ts'
import type { LivePlan } from './readPlan.ts'
import { removeRow } from './removeRow.ts'

/** What the server has to be asked after an event: for nothing, for the row it tells of, or for all rows. */
export type Need = 'nothing' | 'row' | 'rows'

type LiveRows = {
  /** Takes what the server found for all that is known. */
  readonly adopt: (found: readonly Row[]) => void
  readonly apply: (event: LiveEvent) => Need
  /** Takes a row as the server gave it when it was asked for; none, if it did not find it. */
  readonly settle: (objectId: string, row: Row | undefined) => Need
  readonly list: () => readonly Row[]
}

/** For so long after an answer an event may arrive that is older than it. */
const raceTime = 5_000

/** The rows of a live query, as an answer gave them and events changed them since. */
export function createLiveRows({
  order,
  wanted,
  from,
  isPartial,
}: Pick<LivePlan, 'order' | 'wanted' | 'from' | 'isPartial'>): LiveRows {
  /** Where the order is the server's secret there is only what it last found. */
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
   * An answer may be newer than an event that arrives after it. Only for a while: the clocks of two servers may differ,
   * and what is older by them may be the later change.
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
