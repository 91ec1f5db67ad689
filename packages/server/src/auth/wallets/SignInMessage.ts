import type { RecoveryId } from '@bitauth/libauth'
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { longest } from '@countersign/protocol'
import { createKeccak } from 'hash-wasm'
import type { Namespace } from '../Account.ts'

/** A sign-in message by its parts: EIP-4361 for Ethereum, the same form (CAIP-122) for Solana. */
export type SignInMessage = {
  namespace: Namespace
  domain: string
  address: string
  statement?: string
  uri: string
  chainId: string
  nonce: string
  issuedAt: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: string[]
}

const words = { eip155: 'Ethereum', solana: 'Solana' } as const

/** The text that a wallet shows and signs. */
export function writeMessage(message: SignInMessage): string {
  const lines = [
    `${message.domain} wants you to sign in with your ${words[message.namespace]} account:`,
    message.address,
    '',
    ...(message.statement === undefined ? [] : [message.statement]),
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
  ]
  if (message.expirationTime !== undefined) lines.push(`Expiration Time: ${message.expirationTime}`)
  if (message.notBefore !== undefined) lines.push(`Not Before: ${message.notBefore}`)
  if (message.requestId !== undefined) lines.push(`Request ID: ${message.requestId}`)
  if (message.resources !== undefined) lines.push('Resources:', ...message.resources.map((resource) => `- ${resource}`))
  return lines.join('\n')
}

const time = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})'

/**
 * One pass, every field in its place and at most once: a second "Nonce:" line, a line break in the
 * statement or a separator of another alphabet fits nowhere.
 */
const grammar = new RegExp(
  [
    '^(?<domain>[A-Za-z0-9.\\-\\[\\]:]{1,255}) wants you to sign in with your (?<word>Ethereum|Solana) account:\\n',
    '(?<address>0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})\\n',
    '\\n(?:(?<statement>[\\x20-\\x7e]{1,1000})\\n)?\\n',
    'URI: (?<uri>[\\x21-\\x7e]{1,2000})\\n',
    'Version: 1\\n',
    'Chain ID: (?<chainId>[A-Za-z0-9:\\-]{1,64})\\n',
    'Nonce: (?<nonce>[A-Za-z0-9]{8,128})\\n',
    `Issued At: (?<issuedAt>${time})`,
    `(?:\\nExpiration Time: (?<expirationTime>${time}))?`,
    `(?:\\nNot Before: (?<notBefore>${time}))?`,
    '(?:\\nRequest ID: (?<requestId>[\\x21-\\x7e]{0,200}))?',
    '(?:\\nResources:(?<resources>(?:\\n- [\\x21-\\x7e]{1,2000}){0,20}))?$',
  ].join(''),
)

/** The parts of a message, or `undefined` for a text that is not exactly one. */
export function parseMessage(text: string): SignInMessage | undefined {
  if (text.length > longest.message) return undefined
  const groups = grammar.exec(text)?.groups
  if (!groups) return undefined
  const { word, resources, ...fields } = groups
  const message = {
    namespace: word === 'Ethereum' ? 'eip155' : 'solana',
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    ...(resources !== undefined && { resources: resources.split('\n- ').slice(1) }),
  } as SignInMessage
  // The parsed message, written again, must equal the signed text. Otherwise a lenient parser could be misled.
  return writeMessage(message) === text ? message : undefined
}

/** One instance is enough: a hash is taken from start to end within one call. */
const keccak = await createKeccak(256)

/** Ethereum's hash. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak.init().update(bytes).digest('binary')
}

const lowerCase = /^0x[0-9a-f]{40}$/

/** The address as people see it, from any spelling that is right. */
export function spellEvmAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const plain = text.toLowerCase()
  const spelt = checksumAddress(plain)
  return text === spelt || text === plain || text === `0x${text.slice(2).toUpperCase()}` ? spelt : undefined
}

/** An address in lower case: how it is kept and compared. Mixed case must be the right checksum (EIP-55). */
export function readEvmAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const plain = text.toLowerCase()
  const upper = `0x${text.slice(2).toUpperCase()}`
  return text === plain || text === upper || text === checksumAddress(plain) ? plain : undefined
}

/** The address as people see it. */
export function checksumAddress(address: string): string {
  if (!lowerCase.test(address)) throw new Error('an address in lower case is needed')
  const hash = Buffer.from(keccak256(Buffer.from(address.slice(2)))).toString('hex')
  const letters = [...address.slice(2)].map((letter, index) =>
    Number.parseInt(hash[index] as string, 16) > 7 ? letter.toUpperCase() : letter,
  )
  return `0x${letters.join('')}`
}

/** Compiled once, for the first signature; a recovery then costs a tenth of what the pure JavaScript ones cost. */
let curve: ReturnType<typeof instantiateSecp256k1> | undefined

/** The address whose key signed the text (EIP-191), in lower case; `undefined` where no key could have. */
export async function recoverSigner(text: string, signature: Uint8Array): Promise<string | undefined> {
  const parts = readSignature(signature)
  if (!parts) return undefined
  curve ??= instantiateSecp256k1()
  const secp256k1 = await curve
  const key = secp256k1.recoverPublicKeyUncompressed(parts.compact, parts.recovery, hashPersonalMessage(text))
  if (typeof key === 'string') return undefined
  return `0x${Buffer.from(keccak256(key.subarray(1)).subarray(12)).toString('hex')}`
}

/** Hash that `personal_sign` signs. */
export function hashPersonalMessage(text: string): Uint8Array {
  const body = Buffer.from(text, 'utf8')
  return keccak256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${body.length}`, 'utf8'), body]))
}

/** 65 bytes with v of 0, 1, 27 or 28; or 64 bytes with v in the top bit (EIP-2098). */
function readSignature(signature: Uint8Array): { compact: Uint8Array; recovery: RecoveryId } | undefined {
  if (signature.length === 65) {
    const v = signature[64] as number
    const recovery = v >= 27 ? v - 27 : v
    return recovery === 0 || recovery === 1 ? { compact: signature.slice(0, 64), recovery } : undefined
  }
  if (signature.length !== 64) return undefined
  const compact = signature.slice()
  const top = compact[32] as number
  compact[32] = top & 0x7f
  return { compact, recovery: (top >> 7) as RecoveryId }
}
