import type { IndexSettings } from '../../config/chainSettings.ts'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'

/** What everything that reads one chain into the database works with. */
export type Follower = {
  context: Context
  chain: Chain
  settings: IndexSettings
  className: string
  /** This process, among all that work on the same database. */
  runner: string
}

/** Milliseconds after which a process that fell silent has lost what it worked on. */
export const leaseLength = 30_000

export function leaseEnd({ context }: Follower): Date {
  return new Date(context.clock.now().getTime() + leaseLength)
}
