import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashToken, newToken } from '../../keys/secrets.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { findBegin, findFormerAddress, findReach } from '../email/emailChanges.ts'
import type { Notice } from '../email/notifyOwner.ts'

/** Links of one account. The newest cover the window of the ones before, so the oldest go first. */
const mostLinks = 20

/**
 * Tells the owner that something was added to the account, with a link that undoes it. A thief who has the session for a
 * moment turns a second factor on, and the owner's password opens nothing any more. The link works only together with a
 * proof that the account had before: the mailbox alone must not remove a factor. In the transaction of the change.
 */
export async function notifyOfAddition(
  context: Context,
  caller: Caller,
  userId: string,
  notice: Notice,
): Promise<void> {
  const { db, clock, config, background, mail, webUrl } = context
  const owner = await findFormerAddress(context, userId)
  if (!owner) return
  const now = clock.now()
  const until = new Date(now.getTime() + config.emailUndoDuration * 1000)
  const token = newToken()
  const sessionId = caller.session?.userId === userId ? caller.session.objectId : undefined
  // The window may begin before the address: an older proof is shown, so the address has no say in it.
  const reaches = await findReach(context, userId, { added: null }, sessionId)
  // A thief removes first and adds then, in one session.
  const opened = await findBegin(context, sessionId)
  const began = opened && opened >= reaches ? opened : now
  await db.query(sql`
    with surplus as (
      select hash from countersign.added_methods where "user" = ${userId} order by added desc offset ${mostLinks - 1}
    ), gone as (
      delete from countersign.added_methods where hash in (select hash from surplus)
    )
    insert into countersign.added_methods
      (hash, "user", email, email_added, verified_outside, added, began, reaches, expires)
    values (${hashToken(token)}, ${userId}, ${owner.email}, ${owner.added}, ${owner.outside}, ${now}, ${began},
      ${reaches}, ${until})`)
  db.afterCommit(() =>
    background.run('notify owner', async () => {
      // Not that of the caller, who need not be the owner.
      const say = await sayIn(chooseLanguage(owner.language))
      const link = `${webUrl}/recover-account?token=${token}`
      const text = say('additionText', {
        name: greet(say, owner),
        what: own(notice(say)),
        time: now.toISOString(),
        link: own(link),
        until: until.toISOString(),
      })
      const subject = say('changeSubject', { app: own(config.appName) })
      await mail.send({ kind: 'accountChanged', to: owner.email, subject, text, link })
    }),
  )
}

/** True if a link that undoes an addition waits in the owner's mailbox. */
export async function hasRecoveryMail({ db, clock }: Context, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from countersign.added_methods where "user" = ${userId} and expires > ${clock.now()} limit 1`)
  return rows.length > 0
}
