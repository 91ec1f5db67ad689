import type { Context } from '../context/Context.ts'

/** Whether an account has nothing that its owner could confirm with: the session and the id of a guest are all there is. */
export async function isOnlyAnonymous({ db }: Context, userId: string): Promise<boolean> {
  const rows = await db.query({
    text: `select from "_User" u where u."objectId" = $1 and u."_anonymous" is not null and u."_password_hash" is null
             and u."emailVerified" is not true
             and not exists (select from countersign.wallets where "user" = $1)
             and not exists (select from countersign.passkeys where "user" = $1)
             and not exists (select from countersign.recovery_codes where "user" = $1 and used is null)`,
    values: [userId],
  })
  return rows.length > 0
}
