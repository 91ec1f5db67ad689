import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, instant, listOf, nothing, restoreAccount, text, textOr } from './fields.ts'
import { assertion } from './passkeys.ts'
import { activityRecord, passkeyRecord, userRecord, walletRecord } from './records.ts'

/** A message that the server issued, and what the wallet made of it. */
const proof = z.object({
  message: text(longest.message).describe('The text that was signed, as it was given'),
  signature: text(longest.signature).describe('Hexadecimal for EVM; base64 or base58 for Solana'),
})

/** Wallets and the other sign-in methods of an account, and the account's activity. */
export const signInMethods = {
  listWaysIn: {
    method: 'GET',
    path: '/auth/waysIn',
    summary: "Every sign-in method of the caller's account.",
    output: z.strictObject({
      password: z.boolean(),
      wallets: z.array(walletRecord),
      passkeys: z.array(passkeyRecord),
    }),
  },
  createChallenge: {
    method: 'POST',
    path: '/auth/challenge',
    summary: 'The message that a wallet is to sign (EIP-4361), with a nonce for this browser alone.',
    session: 'tolerated',
    binds: 'begins',
    input: z.object({
      purpose: z.enum(['signIn', 'link', 'merge', 'stepUp']).nullish(),
      namespace: z.enum(['eip155', 'solana']).optional(),
      address: text(longest.address).nullish(),
      chainId: z
        .union([z.int().min(0), text(60)])
        .nullish()
        .describe('A number of EVM, decimal or hexadecimal; a network of Solana'),
    }),
    output: z.strictObject({
      nonce: z.string(),
      expiresAt: instant,
      message: z.string().optional(),
      fields: z.strictObject({
        namespace: z.enum(['eip155', 'solana']),
        domain: z.string(),
        address: z.string().optional(),
        statement: z.string().optional(),
        uri: z.string(),
        chainId: z.string(),
        nonce: z.string(),
        issuedAt: instant,
        expirationTime: instant.optional(),
      }),
    }),
    reasons: ['chainNotAllowed', 'originNotAllowed', 'invalidAddress'],
  },
  signInWithWallet: {
    method: 'POST',
    path: '/auth/signInWithWallet',
    summary: 'Open a session by a signed challenge; the account is made on first use.',
    session: 'dropped',
    binds: 'ends',
    input: proof.extend({ restoreAccount }),
    output: userRecord,
    reasons: [
      'challengeExpired',
      'challengeOfOtherBrowser',
      'invalidSignature',
      'accountLocked',
      'accountDeletionPending',
      'nodeUnavailable',
    ],
  },
  listWallets: {
    method: 'GET',
    path: '/auth/wallets',
    summary: "The caller's wallets.",
    output: listOf(walletRecord),
  },
  linkWallet: {
    method: 'POST',
    path: '/auth/wallets',
    summary: "Add a wallet to the caller's account by a challenge signed for the purpose link.",
    status: 201,
    input: proof,
    output: walletRecord,
    reasons: ['reauthenticationRequired', 'challengeExpired', 'invalidSignature', 'accountAlreadyLinked'],
  },
  updateWallet: {
    method: 'PUT',
    path: '/auth/wallets/:objectId',
    summary: 'Label a wallet, or make it the primary one of its namespace.',
    params: byId,
    input: z.object({ label: z.string().trim().max(longest.label).nullish(), primary: z.literal(true).optional() }),
    output: walletRecord,
    reasons: ['walletNotFound'],
  },
  unlinkWallet: {
    method: 'DELETE',
    path: '/auth/wallets/:objectId',
    summary: 'Remove a wallet, unless it is the last sign-in method. Needs a session that was confirmed recently.',
    params: byId,
    output: z.strictObject({ undoUntil: instant }),
    reasons: ['reauthenticationRequired', 'walletNotFound', 'lastSignInMethod'],
  },
  restoreWallet: {
    method: 'POST',
    path: '/auth/wallets/:objectId/restore',
    summary: 'Restore a wallet that was removed in the last ten minutes. Needs a session that was confirmed recently.',
    params: byId,
    output: walletRecord,
    reasons: ['reauthenticationRequired', 'walletRestoreExpired', 'accountAlreadyLinked'],
  },
  stepUp: {
    method: 'POST',
    path: '/auth/stepUp',
    summary: 'Confirm the session by a fresh proof. It goes on under a new token.',
    binds: 'ends',
    input: proof.partial().extend({
      password: textOr('passwordMissing').max(longest.password, 'passwordTooLong').optional(),
      credential: assertion.optional(),
    }),
    output: z.strictObject({ confirmedUntil: instant, sessionToken: z.string() }),
    reasons: [
      'wrongPassword',
      'tooManyFailedSignIns',
      'challengeExpired',
      'challengeOfOtherBrowser',
      'invalidSignature',
      'walletNotLinked',
      'passkeyUnknown',
      'passkeyNotVerifyingUser',
      'passkeyOfOtherAccount',
      'passkeyRefused',
    ],
  },
  previewMerge: {
    method: 'POST',
    path: '/auth/merges',
    summary: "Prove another account by its wallet and see what a merge into the caller's would move.",
    status: 201,
    binds: 'ends',
    input: proof,
    output: z.strictObject({
      objectId: z.string(),
      expiresAt: instant,
      from: z.strictObject({ objectId: z.string(), username: z.string() }),
      into: z.strictObject({ objectId: z.string(), username: z.string() }),
      wallets: z.array(walletRecord),
      passkeys: z.array(passkeyRecord),
      fields: z.array(z.string()),
      kept: z.array(z.string()),
      sessionsEnded: z.int(),
    }),
    reasons: [
      'reauthenticationRequired',
      'challengeExpired',
      'invalidSignature',
      'walletWithoutAccount',
      'walletLinkedAlready',
    ],
  },
  merge: {
    method: 'POST',
    path: '/auth/merges/:objectId',
    summary: 'Carry out a merge that was previewed, within five minutes of both proofs.',
    params: byId,
    output: z.strictObject({ undoUntil: instant }),
    reasons: ['reauthenticationRequired', 'mergeNotFound', 'mergeExpired'],
  },
  undoMerge: {
    method: 'DELETE',
    path: '/auth/merges/:objectId',
    summary: 'Undo a merge within 24 hours. Needs a session that was confirmed recently.',
    params: byId,
    output: nothing,
    reasons: ['reauthenticationRequired', 'mergeNotFound', 'lastSignInMethod'],
  },
  listActivity: {
    method: 'GET',
    path: '/auth/activity',
    summary: "What happened to the caller's account, newest first.",
    input: z.object({
      before: instant.optional(),
      limit: z.number().int().min(1).max(100).optional(),
      actions: z.array(text(60)).max(100).optional(),
      userAgents: z.array(text(500)).max(100).optional(),
    }),
    output: listOf(activityRecord),
  },
} as const satisfies Record<string, EndpointContract>
