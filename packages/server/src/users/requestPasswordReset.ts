import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { runBefore } from '../hooks/runBefore.ts'
import { chooseLanguage } from '../mail/chooseLanguage.ts'
import { greet } from '../mail/greet.ts'
import { own, sayIn } from '../mail/sayIn.ts'
import { opensByMail } from './emailChanges.ts'
import { languageOf } from './languageOf.ts'
import { createMailToken } from './mailTokens.ts'
import { nameKey } from './nameKey.ts'

type Found = { objectId: string; email: string; username: string; language: string | null; held: boolean }

/**
 * Mails a link that sets a new password. Known and unknown addresses get the same answer at the same time: whether the
 * address is known is looked up after the answer has left.
 */
export async function requestPasswordReset(
  context: Context,
  caller: Caller,
  email: string,
): Promise<Record<never, never>> {
  const { config, mail, publicUrl } = context
  context.background.runLater('send password reset', async () => {
    const found = await findReader(context, email)
    if (!found) return
    const { language, held, ...user } = found
    // What a hook refuses stays between it and the log: the answer must not tell whether the address is known.
    const handlers = findHooks(context, 'beforePasswordReset', '_User')
    if (handlers) await runBefore(handlers, caller, { hook: 'beforePasswordReset', className: '_User', object: user })
    const token = await createMailToken(
      context,
      'reset',
      { user: user.objectId, email: user.email },
      config.passwordPolicy.resetTokenValidityDuration,
    )
    const link = `${publicUrl}/reset?token=${token}`
    const say = await sayIn(chooseLanguage(language, caller.acceptLanguage))
    await mail.send({
      to: user.email,
      subject: say('resetSubject', { app: own(config.appName) }),
      text: say(held ? 'resetText' : 'resetTextAlone', { name: greet(say, user), link: own(link) }),
      link,
    })
  })
  return {}
}

/**
 * The account that a reset by mail may open. A verified address opens its account. One that nobody verified opens only
 * an account that was made with it and has a password alone: an address that was added later, or mistyped beside a
 * wallet, must not give the account to the one who happens to own it. The same holds where it was verified outside
 * the account, for one that was added beside a wallet or passkey.
 */
async function findReader({ config, db }: Context, address: string): Promise<Found | undefined> {
  const [found] = await db.query<Found>({
    text: `select "objectId", email, username, ${languageOf('u')} as language,
             "emailVerified" is true and "_verified_outside" is not true as held
           from "_User" u
           where "_email_key" = $1 and case when "emailVerified" then ${opensByMail}
             else ("_email_added" is null or not $2)
               and not exists (select from countersign.wallets where "user" = u."objectId")
               and not exists (select from countersign.passkeys where "user" = u."objectId")
           end`,
    values: [nameKey(address), config.verifyUserEmails],
  })
  return found
}
