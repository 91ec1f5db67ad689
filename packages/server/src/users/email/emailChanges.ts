import { CountersignError } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashToken, newToken } from '../../keys/secrets.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { languageOfUser } from '../UserRow.ts'

/** A verified address that an account is about to lose. */
export type FormerAddress = {
  username: string
  email: string
  key: string
  language: string | null
  added: Date | null
  outside: boolean
  /** True if the reader of the address could have taken the account by a reset: only then may the reader recover it. */
  opens: boolean
}

/** Changes that can be undone at a time. The first links are the ones to keep, so there are no more changes then. */
const mostPending = 10

/**
 * SQL: whether a verified address opens its account by mail. One that was verified outside the account and added
 * beside a wallet or a passkey does not: it may be mistyped. `u` is the user.
 */
export const opensByMail = sql`(u."_verified_outside" is not true or u."_email_added" is null or not (
  exists (select from countersign.wallets where "user" = u."objectId")
  or exists (select from countersign.passkeys where "user" = u."objectId")
  or exists (select from countersign.identities where "user" = u."objectId" and linked is not null)
))`

/**
 * SQL: true if mail to its address opens the account of `u`. A verified address does as above. An unverified one opens
 * only an account that was created with it and has only a password: an address added later, or mistyped beside a
 * wallet, must not give the account to its owner.
 */
export const mailOpens = ({ verifyUserEmails }: Config) => sql`case when u."emailVerified" then ${opensByMail}
  else (u."_email_added" is null or not ${verifyUserEmails}::boolean)
    and not exists (select from countersign.wallets where "user" = u."objectId")
    and not exists (select from countersign.passkeys where "user" = u."objectId")
    and not exists (select from countersign.identities where "user" = u."objectId" and linked is not null)
  end`

/** SQL: whether it was shown that the account of `u` and the mailbox of its address have one holder. */
export const isHeld = sql`(u."emailVerified" is true and u."_verified_outside" is not true)`

/** SQL: whether a code by mail is a sign-in method of the account of `u`. */
export const signsInByCode = ({ emailCode, signIn }: Config) => {
  const isOffered = emailCode.enabled && signIn.methods.includes('emailCode')
  return sql`(${isOffered}::boolean and u."emailVerified" is true and ${opensByMail})`
}

/** The verified address that a user has before a change, held for the transaction of the change. */
export async function findFormerAddress({ db }: Context, userId: string): Promise<FormerAddress | undefined> {
  const [row] = await db.query<FormerAddress>(sql`
    select username, email, "_email_key" as key, ${languageOfUser} as language, "_email_added" as added,
      coalesce("_verified_outside", false) as outside, ${opensByMail} as opens
    from "_User" u
    where "objectId" = ${userId} and email is not null and "emailVerified"
    for update`)
  return row
}

/**
 * Mails the former address that it was removed from the account, with a link to restore it. A thief with brief access
 * must not keep the account by changing its address.
 */
export async function offerEmailUndo(
  context: Context,
  userId: string,
  former: FormerAddress,
  /** Session that changes the address. */
  sessionId: string | undefined,
): Promise<void> {
  const { db, clock, config, background, webUrl } = context
  const now = clock.now()
  const until = new Date(now.getTime() + config.emailUndoDuration * 1000)
  const token = newToken()
  if (former.opens) {
    const kept = await db.query(sql`
      insert into countersign.email_changes
        (hash, "user", email, added, verified_outside, changed, expires, reaches)
      select ${hashToken(token)}, ${userId}, ${former.email}, ${former.added}, ${former.outside}, ${now}, ${until},
        ${await findReach(context, userId, former, sessionId)}
      where (
        select count(*) from countersign.email_changes where "user" = ${userId} and expires > ${now}
      ) < ${mostPending}
      returning 1`)
    if (kept.length === 0) {
      throw new CountersignError('OperationForbidden', 'The email address was changed too often. Try again later.', {
        status: 403,
      })
    }
  }
  db.afterCommit(() =>
    background.run('tell the former address', async () => {
      // The owner's language or English: the person who changed it need not be the owner.
      const say = await sayIn(chooseLanguage(former.language))
      const link = former.opens ? `${webUrl}/undo-email?token=${token}` : null
      const values = { name: greet(say, former), time: now.toISOString() }
      await context.mail.send({
        kind: 'emailChanged',
        to: former.email,
        subject: say('emailChangedSubject', { app: own(config.appName) }),
        text:
          link === null
            ? say('emailChangedNotice', values)
            : say('emailChangedText', { ...values, until: until.toISOString(), link: own(link) }),
        link,
      })
    }),
  )
}

/**
 * Start of the window that an undo covers. A thief adds sign-in methods first and changes the address last, so it
 * begins as long before the change as the undo is possible after it, and with the session that made the change if that
 * is older, up to twice as long. Earlier sign-in methods stay: they were the owner's for long, and an undo by mail must
 * not remove an old second factor.
 */
export async function findReach(
  context: Context,
  userId: string,
  { added }: { added: Date | null },
  sessionId: string | undefined,
): Promise<Date> {
  const { db, clock, config } = context
  const now = clock.ms()
  const [row] = await db.query<{ made: Date }>(
    sql`select "createdAt" as made from "_User" where "objectId" = ${userId}`,
  )
  const opened = (await findBegin(context, sessionId))?.getTime() ?? now
  const window = config.emailUndoDuration * 1000
  const byTime = now - window
  const bySession = now - opened <= 2 * window ? opened : now
  const first = added ?? row?.made
  return new Date(Math.max(Math.min(byTime, bySession), first ? first.getTime() + 1 : 0))
}

/** When a session began, or the first of those that it continues. `undefined` where there is no such session. */
export async function findBegin({ db }: Context, sessionId: string | undefined): Promise<Date | undefined> {
  if (sessionId === undefined) return undefined
  const [session] = await db.query<{ began: Date }>(
    sql`select coalesce("_began", "createdAt") as began from "_Session" where "objectId" = ${sessionId}`,
  )
  return session?.began
}
