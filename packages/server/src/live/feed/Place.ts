import type { Position } from './Feed.ts'

/**
 * What can be seen at one moment: every transaction before `xmax` but those that were under way then, and no change with
 * a number over `last`. The second half matters after a crash, which may give a number of a transaction a second time.
 */
export type Mark = { xmax: number; underWay: number[]; last: number }

/** What was seen: all of `low`, and of what `high` shows beyond it the changes up to number `id`. */
export type Place = { incarnation: string; low: Mark; part?: { high: Mark; id: number } }

/** As the database writes a snapshot; `last` is not part of it. */
export function encodeSnapshot({ xmax, underWay }: Mark): string {
  return `${underWay[0] ?? xmax}:${xmax}:${underWay.join(',')}`
}

export function readSnapshot(text: string, last: number): Mark {
  const [, xmax, underWay] = text.split(':')
  return { xmax: Number(xmax), underWay: underWay ? underWay.split(',').map(Number) : [], last }
}

/** The first transaction whose changes one who stands here may still lack. */
export function firstMissing({ xmax, underWay }: Mark): number {
  return underWay[0] ?? xmax
}

export function encodePlace({ incarnation, low, part }: Place): Position {
  const whole = `${incarnation}.${encodeMark(low)}`
  return (part ? `${whole}.${encodeMark(part.high)}.${part.id.toString(36)}` : whole) as Position
}

export function encodeMark({ xmax, underWay, last }: Mark): string {
  return [xmax, last, ...underWay.map((xid) => xmax - xid)].map((number) => number.toString(36)).join('_')
}
