import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { refuse, type WireFields } from '@countersign/protocol'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Caller } from '../../context/Caller.ts'
import { type Context, listOwnOrigins } from '../../context/Context.ts'
import { safeParse } from '../../encoding/safeParse.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { keepChallenge, takeChallenge } from '../challenges.ts'
import { findPasskeys, type PasskeyRow } from './passkeys.ts'

/** Loaded at first use: it brings parsers for certificates that a server without passkeys has no need of. */
export function loadWebAuthn(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server')
}

/** Relying party of a passkey: its host and the origin of the page. */
export type RelyingParty = { rpId: string; origin: string }

/**
 * From the configuration alone: a passkey is bound to the public host, whatever the Host header says. On a web
 * application with a host of its own it is bound to that one: browsers accept no other there.
 */
function chooseRelyingParty(context: Context, caller: Caller): RelyingParty {
  const { config } = context
  const [application, web] = listOwnOrigins(context) as [URL, URL]
  const isWeb = caller.origin === web.origin && !belongsTo(web.hostname, application.hostname)
  const own = isWeb ? web : application
  const rpId = hostFor(own, config.production)
  const { origin = own.hostname === rpId ? own.origin : `http://${rpId}:${own.port || 80}` } = caller
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  const offered =
    page?.origin === origin &&
    belongsTo(page.hostname, rpId) &&
    (origin === own.origin ||
      origin === web.origin ||
      config.wallet.origins.some((named) => new URL(named).origin === origin) ||
      // While developing, the page may come from a server of its own on another port.
      (!config.production && page.hostname === 'localhost'))
  if (offered) return { rpId, origin }
  throw refuse(
    'originNotAllowed',
    { origin: origin.slice(0, 200) },
    {
      details: `They only work on ${rpId}. Open the page there. The operator can add other origins of that host to wallet.origins.`,
    },
  )
}

/** Browsers bind no passkey to an address without a name; on the developer's machine there is one for it. */
function hostFor({ hostname }: URL, production: boolean): string {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0) return hostname
  if (!production && (bare.startsWith('127.') || bare === '::1')) return 'localhost'
  throw refuse('passkeysNeedHostName', undefined, {
    details: 'The operator can set COUNTERSIGN_PUBLIC_URL to an address with a host name.',
  })
}

function belongsTo(host: string, rpId: string): boolean {
  return host === rpId || host.endsWith(`.${rpId}`)
}

/** Purpose of a passkey prompt. A response for one purpose is rejected for every other. */
export type PasskeyPurpose = 'registration' | 'signIn' | 'reauthenticate'

/** In the table of challenges: `domain` is the relying party. */
const namespace = 'webauthn'

/** Time (ms) for a person to respond. */
const answerTime = 5 * 60_000

/** Creates a single-use challenge that is bound to the browser. */
async function keepPasskeyChallenge(
  context: Context,
  caller: Caller,
  purpose: PasskeyPurpose,
  userId: string | null,
  { rpId, origin }: RelyingParty,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  const issued = context.clock.now()
  await keepChallenge(context, caller, {
    nonce: Buffer.from(challenge).toString('base64url'),
    purpose,
    namespace,
    user: userId,
    domain: rpId,
    uri: origin,
    statement: '',
    issued,
    expires: new Date(issued.getTime() + answerTime),
  })
  return challenge
}

/** Consumes a challenge and returns the page that it was made for. Every refusal consumes it, too. */
export async function takePasskeyChallenge(
  context: Context,
  caller: Caller,
  purpose: PasskeyPurpose,
  nonce: string,
): Promise<RelyingParty> {
  const { domain, uri } = await takeChallenge(context, caller, { nonce, purpose, namespaces: [namespace] })
  return { rpId: domain, origin: uri }
}

/** The browser's view of the challenge. Untrusted until the signature over it is verified. */
const clientData = z.object({
  challenge: z.string().max(200),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
})

/** Rejects frames of another site, in which the person cannot see who asks. */
export function readNonce({ clientDataJSON: encoded }: { clientDataJSON: string }): string {
  const { data } = safeParse(clientData, parse(Buffer.from(encoded, 'base64url').toString('utf8')))
  if (!data) throw refuse('passkeyOfOtherPage')
  return data.challenge
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Creates the options to ask for a passkey: any of this host to sign in, one of the caller's to confirm. */
async function createPasskeyChallenge(
  context: Context,
  caller: Caller,
  purpose: 'signIn' | 'reauthenticate',
): Promise<{ options: WireFields }> {
  if (purpose === 'signIn') requireMethod(context, 'passkey')
  const userId = purpose === 'signIn' ? null : requireSession(caller).userId
  const relyingParty = chooseRelyingParty(context, caller)
  const own = userId === null ? [] : await findPasskeys(context, userId)
  if (userId !== null && own.length === 0) {
    throw refuse('passkeyMissing')
  }
  const challenge = await keepPasskeyChallenge(context, caller, purpose, userId, relyingParty)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.rpId,
    challenge,
    timeout: answerTime,
    allowCredentials: own.map(describeCredential),
    userVerification: purpose === 'reauthenticate' ? 'required' : 'preferred',
  })
  return { options: options as unknown as WireFields }
}

/** Ed25519, P-256 and RSA: what authenticators in use can do. */
export const algorithms = [-8, -7, -257]

/** Creates the options to register a passkey for the caller. */
async function createPasskeyRegistration(context: Context, caller: Caller): Promise<{ options: WireFields }> {
  const { userId, user } = requireSession(caller)
  await requireFreshProof(context, caller, 'addPasskey', userId)
  const relyingParty = chooseRelyingParty(context, caller)
  const known = await findPasskeys(context, userId)
  const challenge = await keepPasskeyChallenge(context, caller, 'registration', userId, relyingParty)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const username = String(user.username)
  const options = await generateRegistrationOptions({
    rpName: context.config.appName,
    rpID: relyingParty.rpId,
    userID: new Uint8Array(Buffer.from(userId, 'utf8')),
    userName: username,
    userDisplayName: username,
    challenge,
    timeout: answerTime,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(describeCredential),
    // To be found without a user name, it must be kept by the authenticator.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  return { options: options as unknown as WireFields }
}

const transports = new Set<string>(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** Descriptor by which a browser finds a passkey. */
function describeCredential(row: Pick<PasskeyRow, 'credential' | 'transports'>): {
  id: string
  transports: AuthenticatorTransport[]
} {
  return { id: row.credential, transports: row.transports.filter(isTransport) }
}

export function isTransport(name: string): name is AuthenticatorTransport {
  return transports.has(name)
}

export const createPasskeyRegistrationEndpoint = defineEndpoint('createPasskeyRegistration', {
  handle: ({ context, caller }) => createPasskeyRegistration(context, caller),
})

export const createPasskeyChallengeEndpoint = defineEndpoint('createPasskeyChallenge', {
  handle: ({ context, caller, input }) => createPasskeyChallenge(context, caller, input.purpose ?? 'signIn'),
})
