import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { languageOf } from './languageOf.ts'
import { nameKey } from './nameKey.ts'
import { sendVerification } from './sendVerification.ts'

/** Sends the confirmation again. The answer is the same for an address that is unknown or confirmed. */
export async function requestEmailVerification(
  context: Context,
  caller: Caller,
  email: string,
): Promise<Record<never, never>> {
  context.background.runLater('repeat e-mail verification', async () => {
    const [user] = await context.db.query<{
      objectId: string
      email: string
      username: string
      language: string | null
    }>({
      text: `select "objectId", email, username, ${languageOf('u')} as language from "_User" u
             where "_email_key" = $1 and "emailVerified" is distinct from true`,
      values: [nameKey(email)],
    })
    if (user) sendVerification(context, caller, user)
  })
  return {}
}
