import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, fields, instant, listOf, restoreAccount, text } from './fields.ts'
import { passkeyRecord, userRecord } from './records.ts'
import { typed } from './typeNames.ts'

/** Base64url. */
const bytes = (most: number) => text(most).regex(/^[\w-]+$/, 'must be base64url')

/** The parts of WebAuthn's JSON that are read, with limits that no honest authenticator comes near. */
const common = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }
const clientDataJSON = bytes(8_000)

/** A new passkey. */
const attestation = typed(
  'WireFields',
  z
    .object({
      ...common,
      response: z.object({
        clientDataJSON,
        attestationObject: bytes(64_000),
        transports: z.array(text(100)).max(100).nullish(),
      }),
    })
    .describe('Result of PublicKeyCredential.toJSON()'),
)

/** Assertion of a passkey. */
export const assertion = typed(
  'WireFields',
  z
    .object({
      ...common,
      response: z.object({
        clientDataJSON,
        authenticatorData: bytes(8_000),
        signature: bytes(8_000),
        userHandle: bytes(200).nullish(),
      }),
    })
    .describe('Result of PublicKeyCredential.toJSON()'),
)

export type Attestation = z.output<typeof attestation>
export type Assertion = z.output<typeof assertion>

const options = z.strictObject({ options: fields })

export const passkeys = {
  createPasskeyRegistration: {
    method: 'POST',
    path: '/auth/passkeys/registration',
    access: 'user',
    summary: 'Browser options to create a passkey, valid in this browser only.',
    binds: 'begins',
    output: options,
    reasons: ['reauthenticationRequired', 'passkeysNeedHostName', 'originNotAllowed'],
  },
  registerPasskey: {
    method: 'POST',
    path: '/auth/passkeys',
    access: 'user',
    summary: 'Add a passkey to the account.',
    status: 201,
    input: z.object({ credential: attestation, name: z.string().trim().max(longest.passkeyName).nullish() }),
    output: passkeyRecord,
    reasons: [
      'reauthenticationRequired',
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'challengeOfOtherAccount',
      'passkeyOfOtherPage',
      'passkeyRefused',
      'challengeOfOtherBrowser',
      'passkeyTaken',
    ],
  },
  createPasskeyChallenge: {
    method: 'POST',
    path: '/auth/passkeys/challenge',
    summary: 'Browser options to use a passkey, valid in this browser only.',
    session: 'tolerated',
    binds: 'begins',
    input: z.object({ purpose: z.enum(['signIn', 'reauthenticate']).nullish() }),
    output: options,
    reasons: ['signInMethodOff', 'passkeyMissing', 'passkeysNeedHostName', 'originNotAllowed'],
  },
  signInWithPasskey: {
    method: 'POST',
    path: '/auth/signInWithPasskey',
    summary: 'Sign in with a passkey, without a username.',
    session: 'dropped',
    binds: 'ends',
    input: z.object({ credential: assertion, restoreAccount }),
    output: userRecord,
    reasons: [
      'signInMethodOff',
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'challengeOfOtherAccount',
      'passkeyOfOtherPage',
      'passkeyCopied',
      'passkeyRefused',
      'challengeOfOtherBrowser',
      'passkeyUnknown',
      'passkeyOfOtherAccount',
      'accountLocked',
      'accountDeletionPending',
      'reauthenticationRequired',
      'secondFactorRequired',
      'secondFactorSetUpRequired',
      'emailNotVerified',
    ],
  },
  listPasskeys: {
    method: 'GET',
    path: '/auth/passkeys',
    scope: 'account:read',
    access: 'user',
    summary: 'Passkeys of the account.',
    output: listOf(passkeyRecord),
  },
  updatePasskey: {
    method: 'PUT',
    path: '/auth/passkeys/:objectId',
    access: 'user',
    summary: 'Rename a passkey.',
    params: byId,
    input: z.object({ name: z.string().trim().min(1).max(longest.passkeyName) }),
    output: passkeyRecord,
    reasons: ['hiddenCharacters', 'objectNotFound'],
  },
  removePasskey: {
    method: 'DELETE',
    path: '/auth/passkeys/:objectId',
    access: 'user',
    summary: 'Remove a passkey, unless it is the last sign-in method. Needs a recent proof.',
    params: byId,
    output: z.strictObject({ undoUntil: instant }),
    reasons: ['reauthenticationRequired', 'lastSignInMethod', 'secondFactorDemanded', 'objectNotFound'],
  },
  restorePasskey: {
    method: 'POST',
    path: '/auth/passkeys/:objectId/restore',
    access: 'user',
    summary: 'Restore a passkey within ten minutes of its removal. Needs a recent proof.',
    params: byId,
    output: passkeyRecord,
    reasons: ['reauthenticationRequired', 'passkeyRestoreExpired', 'passkeyTaken'],
  },
} as const satisfies Record<string, EndpointContract>
