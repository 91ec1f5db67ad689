import { z } from 'zod'
import { refused } from '../proveAccount.ts'

/** What the browser says it was asked. Nothing of it is believed before the signature over it is verified. */
const clientData = z.object({
  challenge: z.string().max(200),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
})

/** Within a frame of another site the person cannot see who asks, so that is refused. */
export function readNonce({ clientDataJSON: encoded }: { clientDataJSON: string }): string {
  const { data } = clientData.safeParse(parse(Buffer.from(encoded, 'base64url').toString('utf8')))
  if (!data) throw refused('The passkey was not asked by this page.')
  return data.challenge
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
