import type { WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { runBefore } from '../hooks/runBefore.ts'
import { chooseLanguage } from '../mail/chooseLanguage.ts'
import { sayIn } from '../mail/sayIn.ts'
import { languageOf } from './languageOf.ts'
import { createMailToken } from './mailTokens.ts'
import { nameKey } from './nameKey.ts'
import { readAddress } from './requestEmailVerification.ts'

/**
 * Mails a link that sets a new password. Known and unknown addresses get the same answer at the same time. An address
 * that nobody confirmed opens only an account that has no other way in: whoever mistyped an address beside a wallet
 * must not lose the account to its owner.
 */
export async function requestPasswordReset(
  context: Context,
  caller: Caller,
  email: WireValue | undefined,
): Promise<Record<never, never>> {
  const address = readAddress(email, 'you must provide an email')
  const { config, db, mail, publicUrl } = context
  context.background.run('send password reset', async () => {
    const [found] = await db.query<{ objectId: string; email: string; username: string; language: string | null }>({
      text: `select "objectId", email, username, ${languageOf('u')} as language from "_User" u where "_email_key" = $1 and ("emailVerified" or not (
               exists (select from countersign.wallets where "user" = u."objectId")
               or exists (select from countersign.passkeys where "user" = u."objectId")
             ))`,
      values: [nameKey(address)],
    })
    if (!found) return
    const { language, ...user } = found
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
      subject: say('resetSubject', { app: config.appName }),
      text: say('resetText', { name: user.username, link }),
      link,
    })
  })
  return {}
}
