import type { LivePosition } from '@countersign/protocol'

/**
 * A place in the log: the set of changes that have been seen, in text. It is made by the feed, or came from a client
 * and passed `parsePosition`. Every server on the same database understands it.
 */
export type Position = LivePosition & { readonly '~position': true }

/** A row as `to_jsonb` gives it, for `reviveRow`; without what never leaves the server. */
export type LoggedRow = { [column: string]: unknown }

/** `before` is missing where the object was made, `after` where it was deleted. */
export type Change = {
  /** Grows with every change of the same object, and with what follows from it. */
  id: string
  className: string
  /** When it was written (not committed), in milliseconds. */
  at: number
  before?: LoggedRow
  after?: LoggedRow
}

export type Batch = {
  changes: Change[]
  /** The place right after the change with this index. */
  position(index: number): Position
  /** The place after the whole batch. */
  end: Position
}

export type WatchedBatch = Batch & {
  /** Changes before this batch are lost (the database was restored, or out of reach for too long): all must ask again. */
  gap: boolean
}

export type Feed = {
  /**
   * Turns on recording for the class, which need not exist yet. When it resolves, every later change will be in the
   * log, everything committed before the call has been passed to the watchers, and the returned position covers every
   * position that any server gave out before the call. A new subscriber takes `current()`, in the same turn.
   */
  openClass(className: string): Promise<Position>
  /** Counted: one call for each `openClass`, also for one that failed. The class is recorded for a while yet. */
  closeClass(className: string): void
  /**
   * Changes of the open classes in order, each once; a batch may be empty if `gap` is set. `handle` is never called
   * while it is still running; its errors are logged. Returns its own unsubscribe.
   */
  watch(handle: (batch: WatchedBatch) => void | Promise<void>): () => void
  /**
   * Reads changes after `from` up to `to` in bounded pages. `to` is this feed's `current()` after `openClass`. Ends
   * with 'expired' if the log is incomplete since `from`: earlier pages are correct, but not all.
   */
  read(from: Position, to: Position, className: string): AsyncIterable<Batch | 'expired'>
  /** Strict: rejects everything that is not a position of ours. */
  parsePosition(text: unknown): Position | undefined
  /**
   * The end of the last batch that was handed to `handle`, counted from the moment of the call, not of its return: one
   * who joins while `handle` is at work has no part in that batch.
   */
  current(): Position
  stop(): Promise<void>
}

/**
 * Snapshot: every transaction before `xmax` except those in progress, and no change with a number over `last`. The
 * second part matters after a crash, which may reuse a transaction number.
 */
export type Mark = { xmax: number; underWay: number[]; last: number }

/**
 * Changes seen: all of `low`, and of those that `high` adds the changes up to number `id`. `history` names the database
 * and its timeline, within which numbers mean something.
 */
export type LogPosition = { history: string; low: Mark; part?: { high: Mark; id: number } }

/** As the database writes a snapshot; `last` is not part of it. */
export function encodeSnapshot({ xmax, underWay }: Mark): string {
  return `${underWay[0] ?? xmax}:${xmax}:${underWay.join(',')}`
}

export function readSnapshot(text: string, last: number): Mark {
  const [, xmax, underWay] = text.split(':')
  return { xmax: Number(xmax), underWay: underWay ? underWay.split(',').map(Number) : [], last }
}

/** First transaction this reader may have missed. */
export function firstMissing({ xmax, underWay }: Mark): number {
  return underWay[0] ?? xmax
}

export function encodeLogPosition({ history, low, part }: LogPosition): Position {
  const whole = `${history}.${encodeMark(low)}`
  return (part ? `${whole}.${encodeMark(part.high)}.${part.id.toString(36)}` : whole) as Position
}

export function encodeMark({ xmax, underWay, last }: Mark): string {
  return [xmax, last, ...underWay.map((xid) => xmax - xid)].map((number) => number.toString(36)).join('_')
}

/** Returns true if everything that `mark` has seen was seen by `later`, too. Marks of one primary are in order of time. */
export function covers(later: Mark, mark: Mark): boolean {
  if (later.xmax < mark.xmax || later.last < mark.last) return false
  const underWay = new Set(mark.underWay)
  return later.underWay.every((xid) => xid >= mark.xmax || underWay.has(xid))
}

/** As many as a database may have connections, and more; every one takes a few letters. */
const mostUnderWay = 10_000

export function parseMark(text: string | undefined): Mark | undefined {
  const numbers = text?.split('_').map(parseNumber) ?? []
  const [xmax, last, ...distances] = numbers
  if (xmax === undefined || xmax < 1 || last === undefined || distances.length > mostUnderWay) return undefined
  const underWay: number[] = []
  for (const distance of distances) {
    const xid = xmax - (distance ?? xmax)
    if (xid < 1 || xid >= xmax || xid <= (underWay.at(-1) ?? 0)) return undefined
    underWay.push(xid)
  }
  return { xmax, underWay, last }
}

export function parseNumber(text: string | undefined): number | undefined {
  if (!text || text.length > 11) return undefined
  const number = Number.parseInt(text, 36)
  return Number.isSafeInteger(number) && number.toString(36) === text ? number : undefined
}
