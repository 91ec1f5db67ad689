import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { findHooks, runBefore } from '../../hooks/runHooks.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { isOneTooMany } from '../countInWindow.ts'
import { isHeld, mailOpens } from '../email/emailChanges.ts'
import { createMailToken } from '../email/mailTokens.ts'
import { readEmail } from '../email/readEmail.ts'
import { findGuard } from '../holders/guards.ts'
import { findAllowance } from '../knownBrowsers.ts'
import { requireMethod } from '../signUpRules.ts'
import { languageOfUser } from '../UserRow.ts'
import { nameKey } from '../usernames.ts'

type Found = { objectId: string; email: string; username: string; language: string | null; held: boolean }

/**
 * Mails a link that sets a new password. Known and unknown addresses get the same response at the same time: the
 * address is looked up after the response was sent.
 */
export async function requestPasswordReset(
  context: Context,
  caller: Caller,
  address: string,
): Promise<Record<never, never>> {
  const { config, mail, webUrl } = context
  requireMethod(context, 'password')
  const email = readEmail(address.trim())
  context.background.runLater('send password reset', async () => {
    const found = await findReader(context, email)
    if (!found) return
    const allowance = await findAllowance(context, caller, { name: email })
    if (await isOneTooMany(context, 'reset', nameKey(email), allowance)) return
    const { language, held, ...user } = found
    // A hook's refusal is only logged: the response must not reveal if the address is known.
    const handlers = findHooks(context, 'beforePasswordReset', '_User')
    if (handlers) await runBefore(handlers, caller, { hook: 'beforePasswordReset', className: '_User', object: user })
    const token = await createMailToken(
      context,
      'reset',
      { user: user.objectId, email: user.email },
      config.passwordPolicy.resetTokenValidityDuration,
    )
    const link = `${webUrl}/reset?token=${token}`
    const isGuarded = (await findGuard(context, user.objectId, held)) !== undefined
    const say = await sayIn(chooseLanguage(language, caller.acceptLanguage))
    await mail.send({
      kind: 'passwordReset',
      to: user.email,
      subject: say('resetSubject', { app: own(config.appName) }),
      text: say(held ? 'resetText' : isGuarded ? 'resetTextGuarded' : 'resetTextAlone', {
        name: greet(say, user),
        link: own(link),
      }),
      link,
    })
  })
  return {}
}

/** The account that a mail to this address may open. */
async function findReader({ config, db }: Context, address: string): Promise<Found | undefined> {
  const [found] = await db.query<Found>(sql`
    select "objectId", email, username, ${languageOfUser} as language, ${isHeld} as held
    from "_User" u
    where "_email_key" = ${nameKey(address)} and ${mailOpens(config)}`)
  return found
}

export const requestPasswordResetEndpoint = defineEndpoint('requestPasswordReset', {
  handle: ({ context, caller, input }) => requestPasswordReset(context, caller, input.email),
})
