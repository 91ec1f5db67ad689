import type { ValueHistoryRecord } from '@countersign/protocol'
import { readUsd } from '../../chain/usd.ts'

/** Value history of one wallet on one chain, oldest first. */
export type ValueHistory = { chain: number; history: ValueHistoryRecord }

/** Several wallets and chains as one: at each time that one of them knows, what all of them were worth. */
export function sumValues(histories: readonly ValueHistory[]): ValuePoint[] {
  const known = histories.map(({ chain, history }) => ({
    chain,
    points: history.points.map(({ block, usd }) => ({
      time: Date.parse(block.timestamp),
      block: block.number,
      value: readUsd(usd),
    })),
    place: 0,
  }))
  const times = [...new Set(known.flatMap(({ points }) => points.map(({ time }) => time)))].sort(
    (one, other) => one - other,
  )
  return times.map((time) => {
    let value = 0n
    const blocks = new Map<number, number>()
    for (const source of known) {
      while ((source.points[source.place + 1]?.time ?? Number.POSITIVE_INFINITY) <= time) source.place++
      const point = source.points[source.place]
      // Before the first block of a chain nobody had anything there.
      if (!point || (point.time > time && point.block === 0)) continue
      value += point.value
      blocks.set(source.chain, point.block)
    }
    return { time, value, blocks: [...blocks].map(([chain, block]) => ({ chain, block })) }
  })
}

/** Value at a time, with its blocks if known. */
export type ValuePoint = {
  time: number
  value: bigint
  blocks?: readonly { chain: number; block: number }[]
}

/** The points from the first that is worth something. */
export function skipEmpty(points: readonly ValuePoint[]): readonly ValuePoint[] {
  const first = points.findIndex(({ value }) => value > 0n)
  return first > 0 ? points.slice(first) : points
}
