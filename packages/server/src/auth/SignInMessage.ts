import { longest } from '@countersign/protocol'
import type { Namespace } from './Namespace.ts'

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
  // What we understood, written down again, must be what was signed.
  return writeMessage(message) === text ? message : undefined
}
