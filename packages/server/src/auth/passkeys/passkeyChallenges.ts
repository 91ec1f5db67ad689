import { randomBytes, timingSafeEqual } from 'node:crypto'
import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { hashToken } from '../../context/newToken.ts'
import { bindingOf } from '../createChallenge.ts'
import { refused } from '../proveAccount.ts'
import type { RelyingParty } from './chooseRelyingParty.ts'

/** What a passkey is asked for. An answer that was given for one purpose serves no other. */
export type PasskeyPurpose = 'registration' | 'signIn' | 'stepUp'

/** Milliseconds that a person has to answer. */
export const answerTime = 5 * 60_000

type ChallengeRow = {
  purpose: string
  binding: Buffer
  user: string | null
  domain: string
  uri: string
  expires: Date
}

/** Makes a challenge that only the asking browser can answer, once. */
export async function keepPasskeyChallenge(
  { db, clock }: Context,
  caller: Caller,
  purpose: PasskeyPurpose,
  userId: string | null,
  { rpId, origin }: RelyingParty,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  const issued = clock.now()
  await db.query({
    name: 'keep-passkey-challenge',
    text: `insert into countersign.challenges (nonce, purpose, namespace, binding, "user", domain, uri, statement, issued, expires)
           values ($1, $2, 'webauthn', $3, $4, $5, $6, '', $7, $8)`,
    values: [
      Buffer.from(challenge).toString('base64url'),
      purpose,
      bindingOf(caller),
      userId,
      rpId,
      origin,
      issued,
      new Date(issued.getTime() + answerTime),
    ],
  })
  return challenge
}

/** Uses a challenge up and gives back whom its answer must name. Every refusal uses it up, too. */
export async function takePasskeyChallenge(
  { db, clock }: Context,
  caller: Caller,
  purpose: PasskeyPurpose,
  nonce: string,
): Promise<RelyingParty> {
  // Used up before anything is verified, so that a failed try cannot be repeated, nor run twice at once.
  const [challenge] = await db.query<ChallengeRow>({
    name: 'take-passkey-challenge',
    text: `delete from countersign.challenges where nonce = $1 and namespace = 'webauthn' returning *`,
    values: [nonce],
  })
  if (!challenge) throw refused('This request was answered already, or is not one of ours. Please try again.')
  if (!isAsker(caller, challenge)) {
    throw refuse('challengeOfOtherBrowser')
  }
  if (challenge.purpose !== purpose) throw refused('This passkey was asked for another purpose. Please try again.')
  if (challenge.user !== null && challenge.user !== caller.session?.userId) {
    throw refused('This passkey was asked for another account. Please try again.')
  }
  if (challenge.expires <= clock.now()) throw refuse('challengeExpired')
  return { rpId: challenge.domain, origin: challenge.uri }
}

/** Whoever fetched the challenge must be the one who answers it: a page that relays somebody's answer is not. */
function isAsker(caller: Caller, { binding, uri }: ChallengeRow): boolean {
  if (!caller.binding || !timingSafeEqual(binding, hashToken(caller.binding))) return false
  return caller.origin === undefined || caller.origin === uri
}
