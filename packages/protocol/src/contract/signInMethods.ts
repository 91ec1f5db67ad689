import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, instant, listOf, text } from './fields.ts'
import { activityRecord, passkeyRecord, userRecord, walletRecord } from './records.ts'

/** A message that the server issued, and what the wallet made of it. */
const proof = z.object({
  message: text(8192).describe('The text that was signed, as it was given'),
  signature: text(32_768).describe('Hexadecimal for EVM; base64 or base58 for Solana'),
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
  signInWithWallet: {
    method: 'POST',
    path: '/auth/signInWithWallet',
    summary: 'Open a session by a signed challenge; the account is made on first use.',
    session: 'dropped',
    binds: 'ends',
    input: proof,
    output: userRecord,
    reasons: ['challengeExpired', 'challengeOfOtherBrowser', 'invalidSignature', 'accountLocked', 'nodeUnavailable'],
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
    input: z.object({ label: z.string().trim().max(60).nullish(), primary: z.literal(true).optional() }),
    output: walletRecord,
    reasons: ['walletNotFound'],
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
