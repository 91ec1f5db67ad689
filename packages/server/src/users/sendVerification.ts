import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { chooseLanguage } from '../mail/chooseLanguage.ts'
import { greet } from '../mail/greet.ts'
import { own, sayIn } from '../mail/sayIn.ts'
import { createMailToken } from './mailTokens.ts'

/** Asks the owner of an e-mail address to confirm it. The answer to the caller does not wait for the mail. */
export function sendVerification(
  context: Context,
  caller: Caller,
  { objectId, email, username, language }: { objectId: string; email: string; username: string; language?: unknown },
): void {
  const { config, mail, background, publicUrl } = context
  if (!config.verifyUserEmails) return
  background.run('send e-mail verification', async () => {
    const token = await createMailToken(
      context,
      'verify',
      { user: objectId, email },
      config.emailVerifyTokenValidityDuration,
    )
    const link = `${publicUrl}/verify-email?token=${token}`
    const say = await sayIn(chooseLanguage(language, caller.acceptLanguage))
    await mail.send({
      to: email,
      subject: say('verifySubject', { app: own(config.appName) }),
      text: say('verifyText', { name: greet(say, { username, email }), link: own(link) }),
      link,
    })
  })
}
