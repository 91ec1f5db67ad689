import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { isOneTooMany } from '../countInWindow.ts'
import { findAllowance } from '../knownBrowsers.ts'
import { languageOfUser } from '../UserRow.ts'
import { nameKey } from '../usernames.ts'
import { consumeMailToken, createMailToken, expiredLink } from './mailTokens.ts'
import { readEmail } from './readEmail.ts'

/** Asks the owner of an email address to confirm it. The response does not wait for the mail. */
export function sendVerification(
  context: Context,
  caller: Caller,
  { objectId, email, username, language }: { objectId: string; email: string; username: string; language?: unknown },
): void {
  const { config, mail, background, webUrl } = context
  if (!config.verifyUserEmails) return
  background.run('send e-mail verification', async () => {
    // Here, for all that send it: an account that changes its address to and fro floods nobody either.
    const allowance = await findAllowance(context, caller, { userId: objectId })
    if (await isOneTooMany(context, 'verify', nameKey(email), allowance)) return
    const token = await createMailToken(
      context,
      'verify',
      { user: objectId, email },
      config.emailVerifyTokenValidityDuration,
    )
    const link = `${webUrl}/verify-email?token=${token}`
    const say = await sayIn(chooseLanguage(language, caller.acceptLanguage))
    await mail.send({
      kind: 'verification',
      to: email,
      subject: say('verifySubject', { app: own(config.appName) }),
      text: say('verifyText', { name: greet(say, { username, email }), link: own(link) }),
      link,
    })
  })
}

/** Sends the confirmation again. The response is the same for an address that is unknown or confirmed. */
async function requestEmailVerification(
  context: Context,
  caller: Caller,
  address: string,
): Promise<Record<never, never>> {
  const email = readEmail(address.trim())
  context.background.runLater('repeat e-mail verification', async () => {
    const [user] = await context.db.query<{
      objectId: string
      email: string
      username: string
      language: string | null
    }>(sql`
      select "objectId", email, username, ${languageOfUser} as language
      from "_User" u
      where "_email_key" = ${nameKey(email)} and "emailVerified" is distinct from true`)
    if (user) sendVerification(context, caller, user)
  })
  return {}
}

/**
 * Verifies the e-mail address that a mailed link was sent to, if it still is the user's. Outside a session of that
 * account it shows who reads the mailbox, not that the same person made the account: this is remembered, and a reset
 * by mail then removes everything that the account's maker left there.
 */
async function verifyEmail(context: Context, caller: Caller, token: string): Promise<Record<never, never>> {
  const proof = await consumeMailToken(context, 'verify', token)
  if (!proof) throw expiredLink()
  const isOutside = caller.session?.userId !== proof.user
  await context.db.query(sql`
    update "_User" set "emailVerified" = true, "_verified_outside" = ${isOutside}, "updatedAt" = ${context.clock.now()}
    where "objectId" = ${proof.user} and "_email_key" = ${nameKey(proof.email)}
      and ("emailVerified" is not true or not ${isOutside}::boolean)`)
  context.db.reportChange('_User')
  context.sessionCache.forgetUser(proof.user)
  return {}
}

export const requestEmailVerificationEndpoint = defineEndpoint('requestEmailVerification', {
  handle: ({ context, caller, input }) => requestEmailVerification(context, caller, input.email),
})

export const verifyEmailEndpoint = defineEndpoint('verifyEmail', {
  handle: ({ context, caller, input }) => verifyEmail(context, caller, input.token),
})
