import type { Context } from '../../context/Context.ts'

/** Time in which a session restores a sign-in method that it removed. */
const restoreWindow = 10 * 60_000

/**
 * Times of a sign-in method that is set aside. A session restores it until `undoUntil`. It is kept for longer: a thief
 * who removes what is the owner's must not keep the owner from it, so an undo of the owner's returns it.
 */
export function setAsideTimes({ clock, config }: Context): { undoUntil: Date; keptUntil: Date } {
  const now = clock.ms()
  return { undoUntil: new Date(now + restoreWindow), keptUntil: new Date(now + keptFor(config)) }
}

/** Methods that are kept until after this can still be restored by a session. */
export function restorableFrom({ clock, config }: Context): Date {
  return new Date(clock.ms() + keptFor(config) - restoreWindow)
}

const keptFor = ({ emailUndoDuration }: Context['config']) => Math.max(restoreWindow, emailUndoDuration * 1000)
