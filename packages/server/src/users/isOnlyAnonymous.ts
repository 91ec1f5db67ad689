import type { Context } from '../context/Context.ts'

/** Whether an account has no way in that its owner could confirm with: the session is all there is. */
export async function isOnlyAnonymous({ db }: Context, userId: string): Promise<boolean> {
  const rows = await db.query({
    text: `select from "_User" u where u."objectId" = $1 and u."_anonymous" is not null and u."_password_hash" is null
             and not exists (select from countersign.wallets where "user" = $1)
             and not exists (select from countersign.passkeys where "user" = $1)`,
    values: [userId],
  })
  return rows.length > 0
}
