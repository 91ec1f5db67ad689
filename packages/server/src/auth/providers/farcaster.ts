import { randomBytes } from 'node:crypto'
import { refuse, type WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import type { Farcaster } from '../../providers/authAdapters.ts'
import { requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { type KeptChallenge, keepChallenge, takeChallenge } from '../challenges.ts'
import { chooseOrigin } from '../createChallenge.ts'
import { parseMessage, readEvmAddress, recoverSigner, type SignInMessage } from '../wallets/SignInMessage.ts'
import { readContract, verifyContractSignature } from '../wallets/verifyContractSignature.ts'

export type FarcasterPurpose = 'signIn' | 'link' | 'reauthenticate'

/** Fields from which Farcaster's apps build the message, with their names. */
export type FarcasterChallenge = {
  nonce: string
  domain: string
  siweUri: string
  expirationTime: string
  relay?: string
}

export type FarcasterProof = { message: string; signature: string }

/** In the table of challenges. */
const namespace = 'farcaster'

/** Milliseconds: the person goes to another app, on another device maybe. */
const answerTime = 10 * 60_000

/** Statements of such messages: what was signed for another purpose has others. */
const statements = new Set<string | undefined>(['Farcaster Auth', 'Farcaster Connect'])

/** The provider, where the operator has set it up. */
export function getFarcaster({ authProviders }: Context) {
  const provider = authProviders.get('farcaster')
  const { farcaster } = provider ?? {}
  if (!provider || !farcaster) throw refuse('providerUnknown')
  return { provider, farcaster }
}

/** Single-use nonce, bound to the browser, with the other required parts of the message. */
async function createFarcasterChallenge(
  context: Context,
  caller: Caller,
  input: { purpose?: FarcasterPurpose | null | undefined },
): Promise<FarcasterChallenge> {
  const { clock } = context
  requireMethod(context, 'provider')
  const { farcaster } = getFarcaster(context)
  const purpose = input.purpose ?? 'signIn'
  const user = purpose === 'signIn' ? null : requireSession(caller).userId
  if (user !== null && purpose === 'link') await requireFreshProof(context, caller, 'linkIdentity', user)
  const { host, origin } = chooseOrigin(context, caller)
  const issued = clock.now()
  const expires = new Date(issued.getTime() + answerTime)
  const nonce = randomBytes(16).toString('hex')
  await keepChallenge(context, caller, {
    nonce,
    purpose,
    namespace,
    user,
    domain: host,
    uri: origin,
    statement: 'Farcaster Auth',
    chain_id: String(farcaster.chain),
    issued,
    expires,
  })
  const { relay } = farcaster
  return { nonce, domain: host, siweUri: origin, expirationTime: expires.toISOString(), ...(relay && { relay }) }
}

/**
 * Proves a Farcaster id: the message contains our challenge, the custody address signed it, and the registry on its
 * chain assigns the id to that address. Every refusal consumes the challenge.
 */
export async function proveFarcaster(
  context: Context,
  caller: Caller,
  purpose: FarcasterPurpose,
  farcaster: Farcaster,
  { message: text, signature }: FarcasterProof,
): Promise<{ id: string; kept: WireFields }> {
  const message = parseMessage(text)
  if (!message) throw refuse('messageNotOurs')
  const challenge = await takeChallenge(context, caller, { nonce: message.nonce, purpose, namespaces: [namespace] })
  const id = readMessage(context, message, challenge, farcaster)
  const custody = readEvmAddress(message.address)
  if (id === undefined || custody === undefined) throw refuse('messageChanged')
  if (!(await isSignedBy(context, caller, farcaster, custody, { text, signature }))) throw refuse('invalidSignature')
  if ((await findId(context, caller, farcaster, custody)) !== BigInt(id)) {
    const details = 'The registry does not have this id for the address that signed.'
    throw refuse('providerRefused', { provider: 'Farcaster' }, { details })
  }
  return { id, kept: { id, custody, label: `FID ${id}` } }
}

/** Id named by the message, if all its parts are as requested. The person's app wrote the rest. */
function readMessage(
  { clock }: Context,
  message: SignInMessage,
  { domain, uri, expires }: KeptChallenge,
  { chain }: Farcaster,
): string | undefined {
  const now = clock.ms()
  const isOurs =
    message.namespace === 'eip155' &&
    message.domain === domain &&
    // A page of the same origin: a message for another site, relayed, has another one.
    URL.canParse(message.uri) &&
    new URL(message.uri).origin === uri &&
    message.chainId === String(chain) &&
    statements.has(message.statement) &&
    (message.expirationTime === undefined || Date.parse(message.expirationTime) > now) &&
    (message.notBefore === undefined || Date.parse(message.notBefore) <= now) &&
    Date.parse(message.issuedAt) <= expires.getTime()
  if (!isOurs) return undefined
  const named = (message.resources ?? []).filter((resource) => /^farcaster:\/\/fid/i.test(resource))
  // One person: of two ids, nobody knows which one was meant.
  return named.length === 1 ? /^farcaster:\/\/fid\/([1-9]\d{0,19})$/.exec(named[0] ?? '')?.[1] : undefined
}

async function isSignedBy(
  { config }: Context,
  caller: Caller,
  { chain }: Farcaster,
  address: string,
  { text, signature }: { text: string; signature: string },
): Promise<boolean> {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signature)) return false
  if ((await recoverSigner(text, Buffer.from(signature.slice(2), 'hex'))) === address) return true
  const check = { chainId: chain, address, text, signature, earlier: [], left: caller.left?.() }
  const proof = await verifyContractSignature(config, check)
  // A contract that is not deployed yet holds no id.
  return proof !== undefined && proof.deployment === undefined
}

/** `idOf(address)` of the registry. */
const idOf = '0xd94fe832'

async function findId({ config }: Context, caller: Caller, { chain, registry }: Farcaster, custody: string) {
  const data = `${idOf}${custody.slice(2).padStart(64, '0')}`
  const answer = await readContract(config, { chainId: chain, to: registry, data, left: caller.left?.() })
  return answer?.length === 32 ? BigInt(`0x${answer.toString('hex')}`) : undefined
}

export const createFarcasterChallengeEndpoint = defineEndpoint('createFarcasterChallenge', {
  handle: ({ context, caller, input }) => createFarcasterChallenge(context, caller, input),
})
