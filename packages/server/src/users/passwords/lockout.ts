import { refuse } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { nameKey } from '../usernames.ts'

type Secret = 'password' | 'recovery' | 'additional'

/** Checks of one name, in this process, one after another: a burst of guesses cannot outrun the count. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Checks a secret for a name under the lockout rule. Names are counted whether or not they exist, so that a lock
 * reveals nothing. Recovery codes are counted separately from passwords: guessing one must not lock the owner out of
 * the other.
 */
export async function underLockout<Result>(
  context: Context,
  name: string,
  check: () => Promise<Result | undefined>,
  secret: Secret = 'password',
  /** Key of a caller known to the account: counted separately from strangers who guess for the same name. */
  allowance?: string,
): Promise<Result | undefined> {
  const rule = context.config.accountLockout
  if (!rule) return check()
  const plain = nameKey(name).slice(0, 320)
  // Capitals are in no name's key, so nobody can take a name that is counted as this one.
  const shared = secret === 'password' ? plain : `${secret.toUpperCase()} ${plain}`
  const key = allowance === undefined ? shared : `${allowance} ${shared}`
  const before = queues.get(key) ?? Promise.resolve()
  const turn = before.then(async () => {
    const counted = await refuseLocked(context, key)
    const result = await check()
    if (result === undefined) await countFailure(context, key, rule)
    else if (counted) await forgetFailures(context, [key])
    return result
  })
  const settled = turn.catch(() => {})
  queues.set(key, settled)
  settled.then(() => queues.get(key) === settled && queues.delete(key))
  return turn
}

/** Parts of the key that failures are counted under. `userId` is set for a browser that has opened the account. */
export function readLockoutKey(key: string): { secret: Secret; userId?: string; name: string } {
  const [, userId] = /^OWN (\S+) /.exec(key) ?? []
  const [, word, name = key] = /(?:^| )(RECOVERY|ADDITIONAL) (.*)$/s.exec(key) ?? []
  return { secret: (word?.toLowerCase() as Secret | undefined) ?? 'password', name, ...(userId && { userId }) }
}

/** Returns true if failures of the name are recorded; throws if there are too many. */
async function refuseLocked({ db, clock }: Context, key: string): Promise<boolean> {
  const [row] = await db.query<{ locked_until: Date | null }>(
    sql.named('find-login-failures')`select locked_until from countersign.login_failures where name_key = ${key}`,
  )
  const left = row?.locked_until ? row.locked_until.getTime() - clock.now().getTime() : 0
  if (left <= 0) return row !== undefined
  const minutes = Math.ceil(left / 60_000)
  throw refuse('tooManyFailedSignIns', { minutes })
}

async function countFailure(
  { db, clock }: Context,
  key: string,
  rule: { threshold: number; duration: number },
): Promise<void> {
  const now = clock.now()
  const until = new Date(now.getTime() + rule.duration * 60_000)
  const stale = new Date(now.getTime() - rule.duration * 60_000)
  const lockedAfter = (failures: Fragment) =>
    sql`case when ${failures} >= ${rule.threshold}::int then ${until}::timestamptz end`
  const failures = sql`(case when f.last < ${stale} then 1 else f.failures + 1 end)`
  await db.query(sql`
    insert into countersign.login_failures as f (name_key, failures, locked_until, last)
    values (${key}, 1, ${lockedAfter(sql`1`)}, ${now})
    on conflict (name_key) do update set
      failures = ${failures}, locked_until = ${lockedAfter(failures)}, last = excluded.last`)
}

/** Lifts the lock of names whose owner has shown another proof. */
export async function forgetFailures({ db }: Context, keys: string[]): Promise<void> {
  await db.query(sql`delete from countersign.login_failures where name_key = any(${keys})`)
}
