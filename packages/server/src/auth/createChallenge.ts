import { randomBytes } from 'node:crypto'
import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import { type Context, listOwnOrigins } from '../context/Context.ts'
import { readBase58 } from '../encoding/base58.ts'
import { showText } from '../encoding/showText.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import { requireMethod } from '../users/signUpRules.ts'
import type { Namespace, Purpose } from './Account.ts'
import { keepChallenge } from './challenges.ts'
import { type SignInMessage, spellEvmAddress, writeMessage } from './wallets/SignInMessage.ts'

export type ChallengeInput = {
  purpose?: Purpose | null
  namespace?: Namespace
  address?: string | null
  chainId?: number | string | null
}

/** Challenge in the response. Without an address the wallet fills it in, and there is no text yet. */
export type Challenge = {
  nonce: string
  expiresAt: string
  message?: string
  fields: Omit<SignInMessage, 'address'> & { address?: string }
}

/** Creates the message for a wallet to sign, with a nonce that works once and only in the requesting browser. */
export async function createChallenge(context: Context, caller: Caller, input: ChallengeInput): Promise<Challenge> {
  const { config, clock } = context
  requireMethod(context, 'wallet')
  const { namespace = 'eip155' } = input
  const purpose = input.purpose ?? 'signIn'
  const address = typeof input.address === 'string' ? readAddress(namespace, input.address) : undefined
  // A wallet that writes the text itself also says which chain it is on.
  const isChainOpen = namespace === 'eip155' && address === undefined && (input.chainId ?? undefined) === undefined
  const chainId = isChainOpen ? firstChain(context) : readChainId(context, namespace, input.chainId)
  const user = purpose === 'signIn' ? null : requireSession(caller).userId
  const origin = chooseOrigin(context, caller)
  const issued = clock.now()
  const expires = new Date(issued.getTime() + config.wallet.challengeTtl * 1000)
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
  const { nonce, domain, uri, statement } = fields
  const chain_id = isChainOpen ? anyChain : chainId
  const kept = { nonce, purpose, namespace, user, domain, uri, statement, address: address ?? null, chain_id }
  await keepChallenge(context, caller, { ...kept, issued, expires })
  const message = address === undefined ? undefined : writeMessage({ ...fields, address })
  return { nonce, expiresAt: fields.expirationTime, ...(message !== undefined && { message }), fields }
}

/** In place of a chain, in a challenge that leaves it to the wallet. */
export const anyChain = '*'

function firstChain({ config }: Context): string {
  return String(isListedChain(config, 1) ? 1 : (config.wallet.chains[0] ?? config.chains[0]?.id ?? 1))
}

/** Pages that may ask: ours, and those the operator named. The Host header has no say in it. */
export function chooseOrigin(context: Context, caller: Caller): URL {
  const { config, publicUrl } = context
  if (caller.origin === undefined) return new URL(publicUrl)
  const own = listOwnOrigins(context)
  const named = config.wallet.origins.map((origin) => new URL(origin))
  const local = config.production
    ? []
    : own.flatMap(({ port }) =>
        ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port || 80}`)),
      )
  const chosen = [...own, ...named, ...local].find(({ origin }) => origin === caller.origin)
  if (chosen) return chosen
  throw refuse(
    'originNotAllowed',
    { origin: caller.origin.slice(0, 200) },
    {
      details: 'The operator can add this origin to wallet.origins in the configuration.',
    },
  )
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
    case 'reauthenticate':
      return `Confirm that it is you, ${account}, in ${app}.`
  }
}

/** Makes user text safe for a signed message: one line of ASCII. */
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
  if (!isListedChain(config, id)) throw refuse('chainNotAllowed', { chainId: showText(value, 40) })
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

export const createChallengeEndpoint = defineEndpoint('createChallenge', {
  handle: ({ context, caller, input }) => createChallenge(context, caller, input),
})
