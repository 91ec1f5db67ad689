import { randomBytes } from 'node:crypto'
import {
  CountersignError,
  type IdentityRecord,
  type ProviderRecord,
  refuse,
  type UserRecord,
  type WireFields,
} from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { respond } from '../../endpoint/respond.ts'
import { decrypt, encrypt } from '../../keys/secrets.ts'
import type { Provider } from '../../providers/authAdapters.ts'
import type { AuthorizationRequest, ProviderClient } from '../../providers/createProviderClient.ts'
import type { ProviderProfile } from '../../providers/readProfile.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { hasMethod, requireMethod } from '../../users/signUpRules.ts'
import { type KeptChallenge, keepChallenge, takeChallenge } from '../challenges.ts'
import { chooseOrigin } from '../createChallenge.ts'
import { type FarcasterProof, type FarcasterPurpose, getFarcaster, proveFarcaster } from './farcaster.ts'
import { encodeIdentity, findIdentities, findOwners } from './identities.ts'
import type { GivenIdentity } from './runAdapter.ts'
import { keep, signInWithProviders } from './signInWithProviders.ts'

export type ProviderPurpose = 'signIn' | 'link' | 'reauthenticate'

export type ProviderChallengeInput = {
  purpose?: ProviderPurpose | null | undefined
  display?: 'popup' | 'redirect' | null | undefined
  returnTo?: string | null | undefined
}

/** Parameters that a provider added to the return URL. */
export type ProviderResponse = {
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** Milliseconds that a person has to come back. */
const answerTime = 10 * 60_000

/** In the table of challenges: `domain` is the provider, `uri` the page, `statement` what is sealed. */
const namespace = 'provider'

type Sealed = { nonce: string; verifier: string; redirectUri: string; display: 'popup' | 'redirect'; returnTo: string }

/** The provider itself has just said who it is. */
type CheckedIdentity = GivenIdentity & { checked: WireFields }

type AskedProvider = Provider & { client: ProviderClient }

/** The providers that people can be sent to, in the order of the setting. */
export function listProviders(context: Context): { results: ProviderRecord[] } {
  const { authProviders } = context
  if (!hasMethod(context, 'provider')) return { results: [] }
  const results = [...authProviders.values()].flatMap((provider) => {
    const { name } = provider
    // Without a relay only the app that asks knows how to reach the person's Farcaster app.
    if (provider.farcaster?.relay) return { name, label: 'Farcaster', kind: 'farcaster' }
    if (!isAsked(provider)) return []
    const { label, kind } = provider.client
    return { name, label, kind }
  })
  return { results }
}

const isAsked = (provider: Provider): provider is AskedProvider => provider.client?.hasBrowserFlow === true

/** Returns the provider's URL and a single-use state that is bound to this browser. */
async function createProviderChallenge(
  context: Context,
  caller: Caller,
  name: string,
  input: ProviderChallengeInput,
): Promise<{ url: string; state: string; expiresAt: string }> {
  const { clock, config, keys, webUrl, log } = context
  requireMethod(context, 'provider')
  const provider = context.authProviders.get(name)
  if (!provider || !isAsked(provider)) throw refuse('providerUnknown')
  const purpose = input.purpose ?? 'signIn'
  const user = purpose === 'signIn' ? null : requireSession(caller).userId
  if (user !== null && purpose === 'link') await requireFreshProof(context, caller, 'linkIdentity', user)
  const page = chooseOrigin(context, caller).origin
  const sealed: Sealed = {
    nonce: newSecret(),
    verifier: newSecret(),
    redirectUri: `${webUrl}${config.mount}/auth/providers/${name}/callback`,
    display: input.display ?? 'redirect',
    returnTo: readReturnPath(page, input.returnTo ?? '/'),
  }
  const state = newSecret()
  const issued = clock.now()
  const expires = new Date(issued.getTime() + answerTime)
  const url = await provider.client
    .createUrl({ ...sealed, state, isFresh: purpose === 'reauthenticate' })
    .catch((cause: Error) => {
      log.warn({ provider: name, reason: cause.message }, 'a sign-in provider cannot be reached')
      throw refuse('providerUnavailable', { provider: provider.client.label }, { cause })
    })
  const statement = encrypt(keys, 'provider sign-in', JSON.stringify(sealed)).toString('base64')
  const kept = { nonce: state, purpose, namespace, user, domain: name, uri: page, statement, issued, expires }
  await keepChallenge(context, caller, kept)
  return { url, state, expiresAt: expires.toISOString() }
}

const newSecret = () => randomBytes(32).toString('base64url')

/** Reads a path on the calling page. Rejects what a browser could read as another host (open redirect). */
function readReturnPath(origin: string, path: string): string {
  const isPath = /^\/(?![/\\])[^\\\p{C}\s]*$/u.test(path) && URL.canParse(path, origin)
  const url = isPath ? new URL(path, origin) : undefined
  if (url?.origin !== origin || url.username || url.pathname.startsWith('//')) {
    throw new CountersignError('InvalidValue', 'returnTo must be a path of the page, such as /account.')
  }
  return `${url.pathname}${url.search}`
}

/**
 * Finds the page that a browser returns to, by its state. Proves and consumes nothing: the page that started gets the
 * parameters, and its request shows that it is the same browser.
 */
export async function findReturn(
  { db, clock, keys }: Context,
  provider: string,
  state: string,
): Promise<{ origin: string; returnTo: string; display: 'popup' | 'redirect' } | undefined> {
  const [row] = await db.query<KeptChallenge>(
    sql`select * from countersign.challenges where nonce = ${state} and namespace = ${namespace}`,
  )
  // One provider's response must not be accepted for another (mix-up attack).
  if (!row || row.domain !== provider || row.expires <= clock.now()) return undefined
  const sealed = readSealed({ keys }, row)
  return sealed && { origin: row.uri, returnTo: sealed.returnTo, display: sealed.display }
}

function readSealed({ keys }: Pick<Context, 'keys'>, { statement }: KeptChallenge): Sealed | undefined {
  const text = decrypt(keys, 'provider sign-in', Buffer.from(statement, 'base64'))
  return text === undefined ? undefined : (JSON.parse(text) as Sealed)
}

/** Verifies the user that a provider sent back. Every refusal consumes the state. */
export async function proveByProvider(
  context: Context,
  caller: Caller,
  purpose: ProviderPurpose,
  { state, code, iss, error }: ProviderResponse,
): Promise<CheckedIdentity> {
  const { authProviders, log } = context
  const row = await takeChallenge(context, caller, { nonce: state, purpose, namespaces: [namespace] })
  const provider = authProviders.get(row.domain)
  const sealed = readSealed(context, row)
  if (!provider || !isAsked(provider) || !sealed) throw refuse('challengeUsed')
  const { label } = provider.client
  if (error !== undefined || code === undefined)
    throw refuse(error === 'access_denied' ? 'providerDeclined' : 'providerRefused', { provider: label })
  const response = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) })
  const profile = await ask(provider.client, { ...sealed, state, response }).catch((cause: unknown) => {
    const reason = describeFailure(cause)
    log.info({ provider: provider.name, reason }, 'a sign-in by a provider was refused')
    throw refuse('providerRefused', { provider: label }, { details: reason, cause })
  })
  if (purpose === 'reauthenticate') requireFreshSignIn(profile, row.issued, provider.client)
  const { authTime: _spent, ...kept } = profile
  return { provider, id: profile.id, data: { id: profile.id }, checked: kept }
}

const ask = (client: ProviderClient, request: AuthorizationRequest & { response: URLSearchParams }) =>
  client.exchange(request)

/** Seconds by which the clocks of two servers may differ. */
const skew = 60

/**
 * Requires a fresh sign-in from a provider that reports the time. One that was sent `max_age` has to report it: a
 * provider that ignores the parameter responds without it, from a session that is open there.
 */
function requireFreshSignIn({ authTime }: ProviderProfile, issued: Date, client: ProviderClient): void {
  const isFresh = authTime === undefined ? !client.tellsAuthTime : authTime >= issued.getTime() / 1000 - skew
  if (!isFresh) throw refuse('providerProofTooOld', { provider: client.label })
}

/** The words of the library alone: what it got from the provider may hold tokens. */
function describeFailure(cause: unknown): string {
  const { code, message, error } = (cause ?? {}) as { code?: unknown; message?: unknown; error?: unknown }
  return [error, code, message]
    .filter((each) => typeof each === 'string')
    .join(': ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 200)
}

/** Opens a session by a provider; the account is made on first use. */
async function signInWithProvider(
  context: Context,
  caller: Caller,
  { restoreAccount = false, ...response }: ProviderResponse & { restoreAccount?: boolean | undefined },
): Promise<{ user: UserRecord; isNew: boolean }> {
  const given = await proveByProvider(context, caller, 'signIn', response)
  const { session: _left, ...guest } = caller
  const { user, isNew } = await signInWithProviders(context, guest, [given], restoreAccount)
  return { user: user as UserRecord, isNew }
}

/** Adds who the caller is to a provider to the account, as the sensitive change that it is. */
async function linkProvider(context: Context, caller: Caller, response: ProviderResponse): Promise<IdentityRecord> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'linkIdentity', userId)
  const given = await proveByProvider(context, caller, 'link', response)
  return linkIdentity(context, caller, userId, given)
}

/** Opens a session by a Farcaster id; the account is made on first use. */
async function signInWithFarcaster(
  context: Context,
  caller: Caller,
  { restoreAccount = false, ...proof }: FarcasterProof & { restoreAccount?: boolean | undefined },
): Promise<{ user: UserRecord; isNew: boolean }> {
  const { session: _left, ...guest } = caller
  const given = await proveFarcasterFor(context, guest, 'signIn', proof)
  const { user, isNew } = await signInWithProviders(context, guest, [given], restoreAccount)
  return { user: user as UserRecord, isNew }
}

/** Adds a Farcaster id to the account, as the sensitive change that it is. */
async function linkFarcaster(context: Context, caller: Caller, proof: FarcasterProof): Promise<IdentityRecord> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'linkIdentity', userId)
  return linkIdentity(context, caller, userId, await proveFarcasterFor(context, caller, 'link', proof))
}

async function proveFarcasterFor(
  context: Context,
  caller: Caller,
  purpose: FarcasterPurpose,
  proof: FarcasterProof,
): Promise<CheckedIdentity> {
  requireMethod(context, 'provider')
  const { provider, farcaster } = getFarcaster(context)
  const { id, kept } = await proveFarcaster(context, caller, purpose, farcaster, proof)
  return { provider, id, data: { id }, checked: kept }
}

async function linkIdentity(
  context: Context,
  caller: Caller,
  userId: string,
  given: CheckedIdentity,
): Promise<IdentityRecord> {
  const [other] = (await findOwners(context, [given])).filter((owner) => owner !== userId)
  if (other !== undefined) throw refuse('accountAlreadyLinked')
  await makeSensitiveChange(context, caller, 'linkIdentity', userId, async () => {
    const rows = await findIdentities(context, userId)
    const proven = {
      ...given,
      step: 'validateSetUp' as const,
      kept: given.checked,
      isChosen: false,
      response: undefined,
    }
    await keep(context, caller, userId, proven, rows)
  })
  const row = (await findIdentities(context, userId)).find((each) => each.provider === given.provider.name)
  if (!row) throw refuse('objectNotFound')
  return encodeIdentity(context, row)
}

export const listProvidersEndpoint = defineEndpoint('listProviders', {
  handle: async ({ context }) => listProviders(context),
})

export const createProviderChallengeEndpoint = defineEndpoint('createProviderChallenge', {
  handle: ({ context, caller, input, params }) => createProviderChallenge(context, caller, params.provider, input),
})

export const signInWithProviderEndpoint = defineEndpoint('signInWithProvider', {
  async handle({ context, caller, input }) {
    const { user, isNew } = await signInWithProvider(context, caller, input)
    return isNew ? respond(user, { status: 201 }) : user
  },
})

export const linkProviderEndpoint = defineEndpoint('linkProvider', {
  handle: ({ context, caller, input }) => linkProvider(context, caller, input),
})

export const signInWithFarcasterEndpoint = defineEndpoint('signInWithFarcaster', {
  async handle({ context, caller, input }) {
    const { user, isNew } = await signInWithFarcaster(context, caller, input)
    return isNew ? respond(user, { status: 201 }) : user
  },
})

export const linkFarcasterEndpoint = defineEndpoint('linkFarcaster', {
  handle: ({ context, caller, input }) => linkFarcaster(context, caller, input),
})
