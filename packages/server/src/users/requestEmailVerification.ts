import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { languageOf } from './languageOf.ts'
import { nameKey } from './nameKey.ts'
import { refuseLongAddress } from './readCredentials.ts'
import { sendVerification } from './sendVerification.ts'

/** Sends the confirmation again. The answer is the same for an address that is unknown or confirmed. */
export async function requestEmailVerification(
  context: Context,
  caller: Caller,
  email: WireValue | undefined,
): Promise<Record<never, never>> {
  const address = readAddress(email, 'you must provide an email')
  context.background.runLater('repeat e-mail verification', async () => {
    const [user] = await context.db.query<{
      objectId: string
      email: string
      username: string
      language: string | null
    }>({
      text: `select "objectId", email, username, ${languageOf('u')} as language from "_User" u
             where "_email_key" = $1 and "emailVerified" is distinct from true`,
      values: [nameKey(address)],
    })
    if (user) sendVerification(context, caller, user)
  })
  return {}
}

/** An address to send to: 204 without one, 125 for what is none. */
export function readAddress(email: WireValue | undefined, missing: string): string {
  if (email === undefined || email === null || email === '') throw new CountersignError('EmailMissing', missing)
  if (typeof email !== 'string') {
    throw new CountersignError('InvalidEmailAddress', 'you must provide a valid email string')
  }
  refuseLongAddress(email)
  return email
}
