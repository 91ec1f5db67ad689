import type { Address } from 'viem'
import type { Actor } from './createActor.ts'
import { createRandom } from './createRandom.ts'
import { makeTransfer } from './makeTransfer.ts'
import type { World } from './World.ts'

/** A transfer every few seconds, so that whoever watches sees something move. */
export function keepLife(
  actor: Actor,
  world: World,
  { seconds, guests }: { seconds: number; guests: readonly Address[] },
): () => void {
  const random = createRandom(Date.now())
  const timer = setInterval(() => {
    // A guest who spends what he has may make one impossible; the next one is drawn anew.
    makeTransfer(actor, world, random, guests).catch(() => undefined)
  }, seconds * 1000)
  return () => clearInterval(timer)
}
