import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { forgetSessions } from '../sessions/createSession.ts'
import { lockUsers } from '../UserRow.ts'
import { begunElsewhere, type ChangeOfHolder, fateOf, type Place, type Power, powers } from './powers.ts'

type Options = {
  /** Session that stays, where the change leaves one. */
  keep?: string | null
  /** Start of the window of the change: what was given since then is recent. */
  since?: Date
  /** Time of the change that an undo takes back: links for later changes end with it, those for earlier ones do not. */
  undone?: Date
  /** The operator lets sessions live on after a new password. */
  keepsSessions?: boolean
  /** Powers that the change itself gives. */
  gives?: readonly Power[]
}

/**
 * Ends the powers over an account that do not survive a change of holder, by the table `changesOfHolder`. Waits for
 * sensitive changes that are under way: what one of them adds right now is seen here, or it finds its session gone.
 * Returns how many sessions ended.
 */
export function changeHolder(
  context: Context,
  userId: string,
  change: ChangeOfHolder,
  { keep = null, since, undone, keepsSessions = false, gives = [] }: Options = {},
): Promise<number> {
  const { db, roleCache, sessionCache } = context
  return db.transaction(async () => {
    await lockUsers(context, [userId])
    let ended = 0
    // Sessions are the first in the table: nothing more is added by one of them afterwards.
    for (const [name, places] of Object.entries(powers) as [Power, readonly Place[]][]) {
      const fate = fateOf(change, name)
      if (fate === 'stays' || fate === 'rests' || fate === 'moves' || gives.includes(name)) continue
      if (name === 'this session' || (keepsSessions && isBegunElsewhere(name))) continue
      if (name === 'other sessions') {
        ended = await deleteSessions(context, userId, keep)
        continue
      }
      const window = name === 'undo mail' ? undone : fate === 'recent ends' ? since : undefined
      if (fate === 'recent ends' && !window) throw new Error(`no window for: ${change}`)
      for (const place of places) await endPower(context, userId, place, window)
      // Roles that a wallet opened go with it.
      if (name === 'wallets') db.afterCommit(() => roleCache.forgetAll())
    }
    db.afterCommit(() => sessionCache.forgetUser(userId))
    return ended
  })
}

const isBegunElsewhere = (name: Power) => (begunElsewhere as readonly Power[]).includes(name)

async function deleteSessions(context: Context, userId: string, keep: string | null): Promise<number> {
  const ended = await context.db.query<{ _token_hash: Buffer }>(sql`
    delete from "_Session"
    where "user" = ${userId} and "objectId" is distinct from ${keep}
    returning "_token_hash"`)
  forgetSessions(context, ended)
  return ended.length
}

async function endPower({ db }: Context, userId: string, place: Place, since: Date | undefined): Promise<void> {
  if ('columns' in place) {
    const sets = place.columns.map((name) => sql`${sql.id(name)} = null`)
    await db.query(sql`update "_User" set ${sql.join(sets)} where "objectId" = ${userId}`)
    db.reportChange('_User')
    return
  }
  const { table, given, purpose, resets } = place
  if (resets) {
    const sets = resets.map((name) => sql`${sql.id(name)} = default`)
    // An app that is not confirmed yet has no time: it counts as new.
    const isGiven = since && given ? sql`coalesce(${sql.id(given)}, 'infinity') >= ${since}` : sql`true`
    await db.query(sql`
      update countersign.${sql.id(table)} set ${sql.join(sets)} where ${ownerIn(table, userId)} and ${isGiven}`)
    return
  }
  await db.query(sql`
    delete from countersign.${sql.id(table)}
    where ${ownerIn(table, userId)}
      and ${purpose === undefined ? sql`true` : sql`purpose = ${purpose}`}
      and ${since === undefined || given === undefined ? sql`true` : sql`${sql.id(given)} >= ${since}`}`)
}

/** A mailed code names an address: it opens whichever account has that. */
function ownerIn(table: string, userId: string): Fragment {
  if (table !== 'email_codes') return sql`"user" = ${userId}`
  return sql`("user" = ${userId} or email_key = (select "_email_key" from "_User" where "objectId" = ${userId}))`
}
