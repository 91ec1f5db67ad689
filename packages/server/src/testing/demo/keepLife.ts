import type { Address } from 'viem'
import { createRandom } from '../createRandom.ts'
import type { Actor } from './createActor.ts'
import { makeTransfer } from './makeTransfer.ts'
import type { World } from './World.ts'

/** A transfer every few seconds, so that a visitor sees something move. */
export function keepLife(
  actor: Actor,
  world: World,
  { seconds, guests }: { seconds: number; guests: readonly Address[] },
): () => void {
  const random = createRandom(Date.now())
  const timer = setInterval(() => {
    // A guest's spending may make one impossible; the next one is drawn again.
    makeTransfer(actor, world, random, guests).catch(() => undefined)
  }, seconds * 1000)
  return () => clearInterval(timer)
}
