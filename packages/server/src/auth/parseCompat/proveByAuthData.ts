import { timingSafeEqual } from 'node:crypto'
import { CountersignError, errorCodes, type Reason, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import type { Account } from '../Account.ts'
import { bindingOf } from '../challenges.ts'
import { chooseOrigin } from '../createChallenge.ts'
import { parseMessage, readEvmAddress, recoverSigner } from '../wallets/SignInMessage.ts'
import { verifySolanaSignature } from '../wallets/verifySolanaSignature.ts'
import { type Proof, verifyWalletProof } from '../wallets/verifyWalletProof.ts'
import type { ProviderProof } from './readAuthData.ts'
import { olderSignInIsOff, olderText } from './requestMessage.ts'

type IssuedTime = {
  purpose: string
  binding: Buffer
  user: string | null
  uri: string
  statement: string
  expires: Date
}

const idMark = '\n\nId: '

/**
 * The account whose key signed a text of the older form, or a whole message that we wrote. A text without our time,
 * which older clients fall back to, is refused: anyone who sees it once could use it forever.
 */
export async function proveByAuthData(
  context: Context,
  caller: Caller,
  purpose: 'signIn' | 'link',
  given: ProviderProof,
): Promise<Proof> {
  const { data, signature, id, namespace } = given
  if (data === undefined || signature === undefined)
    throw refused(`authData.${given.provider} needs id, signature and data, each as a string.`)
  requireMethod(context, 'wallet')
  // Checked first: a page on which sign-in is not offered got no time either.
  chooseOrigin(context, caller)
  const whole = parseMessage(data)
  if (whole) {
    const proof = await verifyWalletProof(context, caller, purpose, { message: data, signature }).catch(
      asOlderClientsKnowIt,
    )
    const address = namespace === 'eip155' ? readEvmAddress(id) : id
    if (whole.namespace !== namespace || proof.account.address !== address)
      throw asOlderClient(refuse('challengeOfOtherAccount'))
    return proof
  }
  if (!context.config.olderSignIn.enabled) throw olderSignInIsOff()
  const time = await consumeTime(context, data)
  checkTime(context, caller, purpose, time)
  const account = await findSigner(context, { ...given, data, signature })
  if (!account) throw asOlderClient(refuse('invalidSignature'))
  // A browser names the page. Anything else may be a server that relays its own visitor's signature.
  const isRelayable = caller.origin === undefined || !context.config.olderSignIn.confirms
  return { account, message: data, signature, isRelayable }
}

/** Uses the time up before the signature is looked at, so that a failed try cannot be repeated, nor run twice at once. */
async function consumeTime({ db, keys, config }: Context, data: string): Promise<IssuedTime> {
  // Control characters could turn a text into a transaction; a signature for one must not sign in.
  if (/[^\P{Cc}\n\t]/u.test(data)) throw refused('This message is not accepted for sign-in.')
  const mark = data.lastIndexOf(idMark)
  if (mark < 0)
    throw refused('The signed message has no time from this server, so it could be reused. Please sign in again.')
  const signed = data.slice(mark + idMark.length)
  if (!signed.startsWith(`${keys.appId}:`)) throw refused('The signed message is for another application.')
  const dateTime = signed.slice(keys.appId.length + 1)
  const nonce = / Nonce: ([0-9a-f]{32})$/.exec(dateTime)?.[1]
  if (nonce === undefined)
    throw refused('The time in the signed message is not from this server. Please sign in again.')
  const [time] = await db.query<IssuedTime>(sql.named('consume-server-time')`
    delete from countersign.challenges
    where nonce = ${nonce} and namespace = ${olderText}
    returning purpose, binding, "user", uri, statement, expires`)
  if (time?.statement !== dateTime) throw asOlderClient(refuse('challengeUsed'))
  // A foreign page chooses its own words: with ours alone above it, the text reads as a sign-in here and as nothing else.
  if (!config.olderSignIn.messages.includes(data.slice(0, mark))) {
    throw refuse('signedWordsNotAllowed', undefined, {
      details: 'The operator can add the texts of signingMessage to olderSignIn.messages in the configuration.',
    })
  }
  return time
}

function checkTime(context: Context, caller: Caller, purpose: 'signIn' | 'link', time: IssuedTime): void {
  const page = caller.origin === undefined ? '' : chooseOrigin(context, caller).origin
  // The browser that asked for the time must bring the signature: a page that relays somebody's is another, and so is
  // a server to which a page handed it.
  if (!timingSafeEqual(time.binding, bindingOf(caller)) || page !== time.uri) {
    throw asOlderClient(refuse('challengeOfOtherBrowser'))
  }
  if (time.purpose !== purpose) throw asOlderClient(refuse('challengeOfOtherPurpose'))
  if (time.user !== null && time.user !== caller.session?.userId) throw asOlderClient(refuse('challengeOfOtherAccount'))
  if (time.expires <= context.clock.now()) throw asOlderClient(refuse('challengeExpired'))
}

/** Finds the signer. The text names no chain on which a contract could be asked, so only key pairs work. */
async function findSigner(
  { config }: Context,
  { namespace, id, data, signature }: { namespace: string; id: string; data: string; signature: string },
): Promise<Account | undefined> {
  if (namespace === 'solana') {
    if (!config.wallet.solana || !verifySolanaSignature(id, data, signature)) return undefined
    return { namespace: 'solana', kind: 'solana', chainId: null, address: id }
  }
  const address = readEvmAddress(id)
  if (address === undefined || !/^0x([0-9a-fA-F]{2}){64,65}$/.test(signature)) return undefined
  const signer = await recoverSigner(data, Buffer.from(signature.slice(2), 'hex'))
  return signer === address ? { namespace: 'eip155', kind: 'eoa', chainId: null, address } : undefined
}

/** Code 101 as it has always been on the wire: 404, for an object that is not there. */
function refused(sentence: string): CountersignError {
  return new CountersignError('ObjectNotFound', sentence)
}

export function asOlderClientsKnowIt(error: unknown): never {
  if (!(error instanceof CountersignError) || error.code !== errorCodes.ObjectNotFound) throw error
  throw asOlderClient(error)
}

/** The refusal with code 101 and status 404, under its own reason. */
function asOlderClient(error: CountersignError): CountersignError {
  const { reason, params, details } = error
  return new CountersignError('ObjectNotFound', error.message, {
    reason: reason as Reason,
    ...(params && { params }),
    ...(details && { details }),
    cause: error,
  })
}
