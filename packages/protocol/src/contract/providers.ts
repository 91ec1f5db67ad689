import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { instant, listOf, restoreAccount, signUpReasons, text } from './fields.ts'
import { identityRecord, providerRecord, userRecord } from './records.ts'
import { named } from './typeNames.ts'

export const providerResponse = named(
  'ProviderResponse',
  z
    .object({
      state: text(200).min(1),
      code: text(4_000).min(1).optional().describe('Absent if the provider returned an error'),
      iss: text(1_000).optional(),
      error: text(200).optional(),
    })
    .describe('Parameters that a provider added to the return URL.'),
)

const providerName = text(100).regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be the name of a provider')
const byProvider = z.object({ provider: providerName })

const ofResponse = [
  'challengeExpired',
  'challengeUsed',
  'challengeOfOtherBrowser',
  'challengeOfOtherPurpose',
  'challengeOfOtherAccount',
  'providerDeclined',
  'providerRefused',
] as const

const farcasterProof = z.object({
  message: text(longest.message).min(1).describe('The signed message, unchanged'),
  signature: text(longest.signature).min(1).describe('Hexadecimal'),
})

const ofFarcaster = [
  'messageNotOurs',
  'messageChanged',
  'invalidSignature',
  'challengeExpired',
  'challengeUsed',
  'challengeOfOtherBrowser',
  'challengeOfOtherPurpose',
  'challengeOfOtherAccount',
  'providerRefused',
] as const

/** Sign-in with providers of OpenID Connect and OAuth 2, in the browser. */
export const providers = {
  listProviders: {
    method: 'GET',
    path: '/auth/providers',
    scope: 'config:read',
    summary: 'Sign-in providers of this server.',
    session: 'tolerated',
    output: listOf(providerRecord),
  },
  createProviderChallenge: {
    method: 'POST',
    path: '/auth/providers/:provider/challenge',
    summary: 'URL to sign in with a provider, valid in this browser only.',
    session: 'tolerated',
    binds: 'begins',
    params: byProvider,
    input: z.object({
      purpose: z.enum(['signIn', 'link', 'reauthenticate']).nullish(),
      display: z.enum(['popup', 'redirect']).nullish().describe('Display of the provider; redirect by default'),
      returnTo: text(500).nullish().describe('Path of the page that the browser returns to'),
    }),
    output: z.strictObject({ url: z.string(), state: z.string(), expiresAt: instant }),
    reasons: [
      'signInMethodOff',
      'providerUnknown',
      'providerUnavailable',
      'originNotAllowed',
      'reauthenticationRequired',
    ],
  },
  signInWithProvider: {
    method: 'POST',
    path: '/auth/signInWithProvider',
    summary: 'Sign in with the response of a provider. Creates an account for a new identity.',
    session: 'dropped',
    binds: 'ends',
    input: providerResponse.extend({ restoreAccount }),
    output: userRecord,
    reasons: [
      ...signUpReasons,
      ...ofResponse,
      'signInToLink',
      'accountAlreadyLinked',
      'accountLocked',
      'accountDeletionPending',
      'secondFactorRequired',
      'secondFactorSetUpRequired',
      'emailNotVerified',
    ],
  },
  linkProvider: {
    method: 'POST',
    path: '/auth/identities',
    access: 'user',
    summary: 'Add a provider, with its response for the purpose link.',
    status: 201,
    input: providerResponse,
    output: identityRecord,
    reasons: ['reauthenticationRequired', ...ofResponse, 'accountAlreadyLinked'],
  },
  createFarcasterChallenge: {
    method: 'POST',
    path: '/auth/farcaster/challenge',
    summary: 'Required content of a Sign In With Farcaster message, valid in this browser only.',
    session: 'tolerated',
    binds: 'begins',
    input: z.object({ purpose: z.enum(['signIn', 'link', 'reauthenticate']).nullish() }),
    output: z.strictObject({
      nonce: z.string(),
      domain: z.string(),
      siweUri: z.string(),
      expirationTime: instant,
      relay: z.string().optional().describe("Service that opens the user's Farcaster app"),
    }),
    reasons: ['providerUnknown', 'originNotAllowed', 'reauthenticationRequired'],
  },
  signInWithFarcaster: {
    method: 'POST',
    path: '/auth/signInWithFarcaster',
    summary: 'Sign in with a message signed by the custody address of a Farcaster id.',
    session: 'dropped',
    binds: 'ends',
    input: farcasterProof.extend({ restoreAccount }),
    output: userRecord,
    reasons: [
      ...signUpReasons,
      'providerUnknown',
      ...ofFarcaster,
      'accountAlreadyLinked',
      'accountLocked',
      'accountDeletionPending',
      'secondFactorRequired',
      'secondFactorSetUpRequired',
      'emailNotVerified',
    ],
  },
  linkFarcaster: {
    method: 'POST',
    path: '/auth/farcaster',
    access: 'user',
    summary: 'Add a Farcaster id. Needs a recent proof.',
    status: 201,
    input: farcasterProof,
    output: identityRecord,
    reasons: ['reauthenticationRequired', 'providerUnknown', ...ofFarcaster, 'accountAlreadyLinked'],
  },
  unlinkIdentity: {
    method: 'DELETE',
    path: '/auth/identities/:provider',
    access: 'user',
    summary: 'Remove a provider, unless it is the last sign-in method. Needs a recent proof.',
    params: byProvider,
    output: z.strictObject({ undoUntil: instant }),
    reasons: ['reauthenticationRequired', 'identityNotFound', 'lastSignInMethod'],
  },
  restoreIdentity: {
    method: 'POST',
    path: '/auth/identities/:provider/restore',
    access: 'user',
    summary: 'Restore a provider within ten minutes of its removal. Needs a recent proof.',
    params: byProvider,
    output: identityRecord,
    reasons: ['reauthenticationRequired', 'identityRestoreExpired', 'accountAlreadyLinked'],
  },
} as const satisfies Record<string, EndpointContract>
