import { CountersignError } from '@countersign/protocol'
import type { Database } from '../../db/Database.ts'

/** Milliseconds that a write waits for its turn; less in a transaction, which keeps its connection. */
const patience = { alone: 10_000, inTransaction: 1_000 }

type Turns = { free: number; waiting: Set<() => void> }

const turnsOf = new WeakMap<Database, Turns>()

/**
 * Waits until this server may begin another write of a distributed class, and returns the function that ends it. Such
 * writes take half of the connections for writes: one to a node that no longer responds does not end, and the other
 * classes still need theirs.
 */
export async function beginDistributed(
  db: Database,
  className: string,
  place: keyof typeof patience,
): Promise<() => void> {
  const turns = turnsOf.get(db) ?? {
    free: Math.max(1, Math.floor((db.pools().writes?.size ?? 2) / 2)),
    waiting: new Set(),
  }
  turnsOf.set(db, turns)
  if (turns.free > 0) turns.free--
  else await wait(turns, className, patience[place])
  return () => {
    // The turn goes on to the write that waits longest, without being free in between.
    for (const take of turns.waiting) return take()
    turns.free++
  }
}

const wait = ({ waiting }: Turns, className: string, longest: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(timer)
      waiting.delete(take)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.delete(take)
      reject(busy(className))
    }, longest)
    waiting.add(take)
  })

const busy = (className: string) =>
  new CountersignError(
    'Timeout',
    `${className} is distributed, and its database nodes respond too slowly. Try again.`,
    { status: 503 },
  )
