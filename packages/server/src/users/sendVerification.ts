import type { Context } from '../context/Context.ts'
import { createMailToken } from './mailTokens.ts'

/** Asks the owner of an e-mail address to confirm it. The answer to the caller does not wait for the mail. */
export function sendVerification(
  context: Context,
  { objectId, email, username }: { objectId: string; email: string; username: string },
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
    await mail.send({
      to: email,
      subject: `Confirm your e-mail address for ${config.appName}`,
      text: `Hello ${username},\n\nplease confirm that this is your e-mail address:\n\n${link}\n\nIf you did not ask for this, you can ignore this mail.\n`,
      link,
    })
  })
}
