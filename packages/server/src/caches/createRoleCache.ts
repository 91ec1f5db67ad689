import { type Clock, isNear } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'

export type RoleCache = {
  find(userId: string): readonly string[] | undefined
  /** Reads through `load` and caches the result, unless a role changed since. */
  load(userId: string, load: () => Promise<readonly string[]>): Promise<readonly string[]>
  /** Any change of a role may be a change for anyone, since roles hold roles. */
  forgetAll(): void
  /**
   * When the user gained the last of these names in access lists, or an earliest bound of it: the last change of any
   * role. As `performance.now()` of this process.
   */
  heldSince(userId: string, names: readonly string[]): number
  close(): Promise<void>
}

/** How long an entry may be believed when the notification channel is silently cut. */
const longestTrust = 5_000
const mostEntries = 20_000

/** The roles of users by id. Dropped when the database tells that a role changed; while it cannot tell, nothing is served. */
export async function createRoleCache({ db, clock }: { db: Database; clock: Clock }): Promise<RoleCache> {
  const entries = new Map<string, { roles: readonly string[]; since: number }>()
  let forgotten = 0
  let changedAt = performance.now()
  /** Outlives changes of roles, most of which are about others. */
  const held = new Map<string, { names: readonly string[]; since: number }>()
  const forgetAll = () => {
    forgotten++
    changedAt = performance.now()
    entries.clear()
  }
  const unlisten = await db.listen('countersign_roles', forgetAll, forgetAll)
  return {
    find(userId) {
      const entry = entries.get(userId)
      if (!entry || !db.listening()) return undefined
      if (isNear(entry.since, clock.ms(), longestTrust)) return entry.roles
      entries.delete(userId)
      return undefined
    },
    async load(userId, load) {
      // Inside a transaction roles may be read that never come to be.
      if (db.inside()) return load()
      const before = forgotten
      const since = clock.ms()
      const roles = await load()
      if (forgotten !== before || !db.listening()) return roles
      if (entries.size >= mostEntries) entries.delete(entries.keys().next().value as string)
      entries.set(userId, { roles, since })
      return roles
    },
    forgetAll,
    heldSince(userId, names) {
      const before = held.get(userId)
      const isMore = before === undefined || names.some((name) => !before.names.includes(name))
      const since = before === undefined ? changedAt : isMore ? performance.now() : before.since
      if (before === undefined && held.size >= mostEntries) held.delete(held.keys().next().value as string)
      held.set(userId, { names, since })
      return since
    },
    close: unlisten,
  }
}
