import { randomBytes } from 'node:crypto'
import { CountersignError, refuse } from '@countersign/protocol'
import { readBase58 } from '../context/base58.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { hashToken } from '../context/newToken.ts'
import { needSession } from '../users/needSession.ts'
import { spellEvmAddress } from './evmAddress.ts'
import type { Namespace, Purpose } from './Namespace.ts'
import { type SignInMessage, writeMessage } from './SignInMessage.ts'

export type ChallengeInput = {
  purpose?: Purpose | null
  namespace?: Namespace
  address?: string | null
  chainId?: number | string | null
}

/** A challenge as it is answered. Without an address the wallet fills it in, and there is no text yet. */
export type Challenge = {
  nonce: string
  expiresAt: string
  message?: string
  fields: Omit<SignInMessage, 'address'> & { address?: string }
}

/** Makes the message that a wallet is to sign, with a nonce that only the asking browser can use, once. */
export async function createChallenge(context: Context, caller: Caller, input: ChallengeInput): Promise<Challenge> {
  const { config, clock, db } = context
  const { namespace = 'eip155' } = input
  const purpose = input.purpose ?? 'signIn'
  const chainId = readChainId(context, namespace, input.chainId)
  const address = typeof input.address === 'string' ? readAddress(namespace, input.address) : undefined
  const user = purpose === 'signIn' ? null : needSession(caller).userId
  const origin = chooseOrigin(context, caller)
  const issued = clock.now()
  const expires = new Date(issued.getTime() + config.wallet.challengeLength * 1000)
  const fields = {
    namespace,
    domain: origin.host,
    ...(address !== undefined && { address }),
    statement: statementFor(context, caller, purpose),
    uri: origin.origin,
    chainId,
    nonce: randomBytes(16).toString('hex'),
    issuedAt: issued.toISOString(),
    expirationTime: expires.toISOString(),
  }
  await db.query({
    name: 'create-challenge',
    quick: true,
    text: `insert into countersign.challenges (nonce, purpose, namespace, binding, "user", domain, uri, statement, address, chain_id, issued, expires)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      fields.nonce,
      purpose,
      namespace,
      bindingOf(caller),
      user,
      fields.domain,
      fields.uri,
      fields.statement,
      address ?? null,
      chainId,
      issued,
      expires,
    ],
  })
  const message = address === undefined ? undefined : writeMessage({ ...fields, address })
  return { nonce: fields.nonce, expiresAt: fields.expirationTime, ...(message !== undefined && { message }), fields }
}

/** The hash of what binds a challenge to its asker. */
export function bindingOf(caller: Caller): Buffer {
  if (caller.binding) return hashToken(caller.binding)
  throw new CountersignError(
    'MissingRequiredField',
    'An installation id is needed: send X-Parse-Installation-Id with this request and the next.',
  )
}

/** Pages that may ask: ours, and those the operator named. The Host header has no say in it. */
export function chooseOrigin({ config, publicUrl }: Context, caller: Caller): URL {
  const own = new URL(publicUrl)
  if (caller.origin === undefined || caller.origin === own.origin) return own
  const named = config.wallet.origins.map((origin) => new URL(origin))
  const local = config.production
    ? []
    : ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${own.port || 80}`))
  const chosen = [...named, ...local].find(({ origin }) => origin === caller.origin)
  if (chosen) return chosen
  throw new CountersignError('OperationForbidden', `Signing in is not offered on ${caller.origin.slice(0, 200)}.`, {
    status: 403,
    details: 'The operator can add this origin to wallet.origins in the configuration.',
  })
}

function statementFor({ config }: Context, caller: Caller, purpose: Purpose): string {
  const app = ascii(config.appName)
  const account = `${ascii(String(caller.session?.user.username ?? ''))} (${caller.session?.userId ?? ''})`
  switch (purpose) {
    case 'signIn':
      return config.wallet.statement ?? `Sign in to ${app}. This costs nothing and sends nothing on chain.`
    case 'link':
      return `Link this wallet to the account ${account} of ${app}.`
    case 'merge':
      return `Merge the account of this wallet into the account ${account} of ${app}.`
    case 'stepUp':
      return `Confirm that it is you, ${account}, in ${app}.`
  }
}

/** What is signed is one line of ASCII, whatever people call themselves. */
export function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
}

function readChainId({ config }: Context, namespace: Namespace, value: ChallengeInput['chainId']): string {
  if (namespace === 'solana') {
    if (value === undefined || value === null) return 'mainnet'
    if (typeof value === 'string' && /^(solana:)?(mainnet|devnet|testnet|localnet)$/.test(value)) return value
    throw new CountersignError('InvalidValue', 'chainId must be mainnet, devnet, testnet or localnet.')
  }
  const id = typeof value === 'string' && /^(0x[0-9a-f]{1,12}|[0-9]{1,15})$/i.test(value) ? Number(value) : (value ?? 1)
  if (!isListedChain(config, id)) throw refuse('chainNotAllowed', { chainId: String(value).slice(0, 40) })
  return String(id)
}

export function isListedChain({ wallet, chains }: Context['config'], id: unknown): boolean {
  return wallet.chains.includes(id as number) || chains.some((chain) => chain.id === id)
}

function readAddress(namespace: Namespace, value: string): string {
  if (namespace === 'solana' && value.length <= 44 && readBase58(value)?.length === 32) return value
  const evm = namespace === 'eip155' ? spellEvmAddress(value) : undefined
  if (evm === undefined) throw refuse('invalidAddress')
  return evm
}
