import { z } from 'zod'
import { longest } from '../limits.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { emailCodeProof } from './emailCode.ts'
import {
  byId,
  fields,
  instant,
  listOf,
  newAccount,
  nothing,
  restoreAccount,
  signUpReasons,
  text,
  textOr,
} from './fields.ts'
import { assertion } from './passkeys.ts'
import { providerResponse } from './providers.ts'
import {
  activityRecord,
  identityRecord,
  mailKind,
  passkeyRecord,
  providerRecord,
  signInMethodsRecord,
  userRecord,
  walletRecord,
} from './records.ts'
import { named } from './typeNames.ts'

/** A message issued by the server, and the wallet's signature. */
export const proof = z.object({
  message: text(longest.message).describe('The signed message, unchanged'),
  signature: text(longest.signature).describe('Hexadecimal for EVM; base64 or base58 for Solana'),
})

const invitationRecord = named(
  'InvitationRecord',
  z
    .strictObject({
      objectId: z.string(),
      createdAt: instant,
      expiresAt: instant,
      email: z.string().optional(),
      role: z.string().optional(),
      note: z.string().optional(),
      usedAt: instant.optional(),
      usedBy: z.string().optional(),
    })
    .describe('An invitation to sign up. Its link is returned once, when it is created.'),
)

const sentMailRecord = named(
  'SentMailRecord',
  z
    .strictObject({ objectId: z.string(), kind: mailKind, at: instant })
    .describe('A mail to the account, without its text.'),
)

const signInOptions = named(
  'SignInOptions',
  z
    .strictObject({
      methods: z.array(z.enum(['wallet', 'passkey', 'provider', 'emailCode', 'password'])),
      providers: z.array(providerRecord),
      emailCode: z.strictObject({ signUp: z.boolean() }).optional(),
      password: z.strictObject({ minLength: z.number() }).optional(),
      signUp: z.strictObject({
        mode: z.enum(['open', 'invitation', 'closed']),
        emailDomains: z.array(z.string()).optional(),
      }),
    })
    .describe('Sign-in methods that a server offers, in its order, and who may sign up.'),
)

const purpose = named(
  'ChallengePurpose',
  z.enum(['signIn', 'link', 'merge', 'reauthenticate']).describe('Purpose of a signature.'),
)
const namespace = z.enum(['eip155', 'solana'])

const challengeRecord = named(
  'ChallengeRecord',
  z
    .strictObject({
      nonce: z.string(),
      expiresAt: instant,
      message: z
        .string()
        .optional()
        .describe('The exact text; absent without an address, because the wallet builds the message from these parts.'),
      fields: z.strictObject({
        namespace,
        domain: z.string(),
        address: z.string().optional(),
        statement: z.string().optional(),
        uri: z.string(),
        chainId: z.string(),
        nonce: z.string(),
        issuedAt: instant,
        expirationTime: instant.optional(),
      }),
    })
    .describe('Message for a wallet to sign.'),
)

const account = z.strictObject({ objectId: z.string(), username: z.string() })

const mergePreview = named(
  'MergePreview',
  z
    .strictObject({
      objectId: z.string(),
      expiresAt: instant.describe('Time until which the merge can be completed.'),
      from: account,
      into: account,
      wallets: z.array(walletRecord),
      passkeys: z.array(passkeyRecord),
      identities: z.array(identityRecord).optional().describe('Absent if there are none.'),
      fields: z.array(z.string()).describe('Fields that will be copied from the other account.'),
      kept: z.array(z.string()).describe("Fields that both accounts have; this account's values are kept."),
      sessionsEnded: z.int(),
    })
    .describe('Preview of a merge of the other account into this one. Nothing has changed yet.'),
)

/** Wallets and the other sign-in methods of an account, and the account's activity. */
export const signInMethods = {
  listSignInMethods: {
    method: 'GET',
    path: '/auth/signInMethods',
    scope: 'account:read',
    access: 'user',
    summary: 'Sign-in methods of the account.',
    output: signInMethodsRecord,
  },
  getSignInOptions: {
    method: 'GET',
    path: '/auth/methods',
    scope: 'config:read',
    summary: 'Sign-in methods of this server, in order, and who may sign up.',
    session: 'tolerated',
    output: signInOptions,
  },
  listInvitations: {
    method: 'GET',
    path: '/auth/invitations',
    summary: 'Invitations to sign up, newest first.',
    access: 'master',
    output: listOf(invitationRecord),
  },
  createInvitation: {
    method: 'POST',
    path: '/auth/invitations',
    summary: 'Create an invitation to sign up. Its link is returned once.',
    access: 'master',
    status: 201,
    input: z.object({
      email: text(longest.email).nullish().describe('Email address of the invited person'),
      role: text(200).min(1).nullish().describe('Role of the new user'),
      note: text(500).nullish(),
      days: z.int().min(1).max(365).nullish(),
    }),
    output: invitationRecord.extend({ token: z.string(), url: z.string() }),
    reasons: ['invalidEmailAddress', 'objectNotFound'],
  },
  deleteInvitation: {
    method: 'DELETE',
    path: '/auth/invitations/:objectId',
    summary: 'Withdraw an invitation.',
    access: 'master',
    params: byId,
    output: nothing,
    reasons: ['objectNotFound'],
  },
  createChallenge: {
    method: 'POST',
    path: '/auth/challenge',
    summary: 'Message (EIP-4361) for a wallet to sign, valid in this browser only.',
    session: 'tolerated',
    binds: 'begins',
    input: z.object({
      purpose: purpose.nullish(),
      namespace: namespace.optional(),
      address: text(longest.address).nullish(),
      chainId: z
        .union([z.int().min(0), text(60)])
        .nullish()
        .describe('Chain ID of EVM, decimal or hex, or a Solana network'),
    }),
    output: challengeRecord,
    reasons: ['signInMethodOff', 'chainNotAllowed', 'originNotAllowed', 'invalidAddress'],
  },
  signInWithWallet: {
    method: 'POST',
    path: '/auth/signInWithWallet',
    summary: 'Sign in with a signed challenge. Creates an account for a new wallet.',
    session: 'dropped',
    binds: 'ends',
    input: proof.extend({ restoreAccount, newAccount }),
    output: userRecord,
    reasons: [
      ...signUpReasons,
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'challengeOfOtherAccount',
      'messageNotOurs',
      'messageChanged',
      'challengeOfOtherBrowser',
      'invalidSignature',
      'accountLocked',
      'accountDeletionPending',
      'walletUnlinked',
      'walletRestoreExpired',
      'secondFactorRequired',
      'secondFactorSetUpRequired',
      'emailNotVerified',
      'nodeUnavailable',
    ],
  },
  listWallets: {
    method: 'GET',
    path: '/auth/wallets',
    scope: 'account:read',
    access: 'user',
    summary: 'Wallets of the account.',
    output: listOf(walletRecord),
  },
  linkWallet: {
    method: 'POST',
    path: '/auth/wallets',
    access: 'user',
    summary: 'Add a wallet, with a challenge signed for the purpose link.',
    status: 201,
    input: proof,
    output: walletRecord,
    reasons: [
      'reauthenticationRequired',
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'challengeOfOtherAccount',
      'messageNotOurs',
      'messageChanged',
      'invalidSignature',
      'accountAlreadyLinked',
    ],
  },
  updateWallet: {
    method: 'PUT',
    path: '/auth/wallets/:objectId',
    access: 'user',
    summary: 'Label a wallet, or make it the primary one of its namespace.',
    params: byId,
    input: z.object({ label: z.string().trim().max(longest.label).nullish(), primary: z.literal(true).optional() }),
    output: walletRecord,
    reasons: ['walletNotFound'],
  },
  unlinkWallet: {
    method: 'DELETE',
    path: '/auth/wallets/:objectId',
    access: 'user',
    summary: 'Remove a wallet, unless it is the last sign-in method. Needs a recent proof.',
    params: byId,
    output: z.strictObject({ undoUntil: instant }),
    reasons: ['reauthenticationRequired', 'walletNotFound', 'lastSignInMethod'],
  },
  restoreWallet: {
    method: 'POST',
    path: '/auth/wallets/:objectId/restore',
    access: 'user',
    summary: 'Restore a wallet within ten minutes of its removal. Needs a recent proof.',
    params: byId,
    output: walletRecord,
    reasons: ['reauthenticationRequired', 'walletRestoreExpired', 'accountAlreadyLinked'],
  },
  reauthenticate: {
    method: 'POST',
    path: '/auth/reauthenticate',
    access: 'user',
    summary: 'Confirm the session with a new proof. It continues under a new token.',
    binds: 'ends',
    input: proof.partial().extend({
      password: textOr('passwordMissing').max(longest.password, 'passwordTooLong').optional(),
      credential: assertion.optional(),
      provider: providerResponse.optional(),
      authData: fields.optional().describe('authData for a provider in the setting auth, as legacy clients send it'),
      secondFactorCode: text(longest.recoveryCode)
        .min(1)
        .optional()
        .describe('Required with any proof except a passkey, if the account has a second factor'),
      emailCode: emailCodeProof.optional().describe('An emailed code to confirm the session'),
    }),
    output: z.strictObject({ confirmedUntil: instant, sessionToken: z.string().optional() }),
    reasons: [
      'wrongPassword',
      'invalidCredentials',
      'signInMethodOff',
      'tooManyFailedSignIns',
      'operatorForbidden',
      'secondFactorRequired',
      'invalidSecondFactorCode',
      'invalidEmailCode',
      'emailCodeExpired',
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'challengeOfOtherAccount',
      'messageNotOurs',
      'messageChanged',
      'challengeOfOtherBrowser',
      'invalidSignature',
      'walletNotLinked',
      'identityNotLinked',
      'providerDeclined',
      'providerRefused',
      'providerProofTooOld',
      'passkeyUnknown',
      'passkeyNotVerifyingUser',
      'passkeyOfOtherAccount',
      'passkeyRefused',
    ],
  },
  previewMerge: {
    method: 'POST',
    path: '/auth/merges',
    access: 'user',
    summary: 'Prove another account and preview what a merge moves.',
    status: 201,
    binds: 'ends',
    input: proof.partial().extend({
      sessionToken: text(longest.token)
        .min(1)
        .optional()
        .describe('Instead of a signature: token of a new session of the other account'),
    }),
    output: mergePreview,
    reasons: [
      'reauthenticationRequired',
      'challengeExpired',
      'challengeUsed',
      'challengeOfOtherPurpose',
      'challengeOfOtherAccount',
      'messageNotOurs',
      'messageChanged',
      'invalidSignature',
      'walletWithoutAccount',
      'proofMissing',
      'otherAccountNotProven',
      'otherAccountLocked',
      'otherAccountOperator',
      'otherAccountHasSecondFactor',
      'otherAccountNeedsSecondFactor',
      'mergeNeedsSecondFactor',
      'walletLinkedAlready',
      'mergeWithItself',
    ],
  },
  merge: {
    method: 'POST',
    path: '/auth/merges/:objectId',
    access: 'user',
    summary: 'Merge a previewed account, within five minutes of both proofs.',
    params: byId,
    output: z.strictObject({ undoUntil: instant }),
    reasons: [
      'reauthenticationRequired',
      'mergeNotFound',
      'mergeExpired',
      'mergeDuplicate',
      'otherAccountLocked',
      'otherAccountOperator',
      'otherAccountHasSecondFactor',
      'otherAccountNeedsSecondFactor',
      'mergeNeedsSecondFactor',
    ],
  },
  undoMerge: {
    method: 'DELETE',
    path: '/auth/merges/:objectId',
    access: 'user',
    summary: 'Undo a merge, within 7 days by default. Needs a recent proof.',
    params: byId,
    output: nothing,
    reasons: [
      'reauthenticationRequired',
      'mergeNotFound',
      'mergeUndone',
      'mergeUndoExpired',
      'mergeUndoUnreadable',
      'mergeUndoWithoutMethod',
      'mergeUsernameTaken',
      'mergeEmailTaken',
      'lastSignInMethod',
    ],
  },
  listActivity: {
    method: 'GET',
    path: '/auth/activity',
    scope: 'account:read',
    access: 'user',
    summary: 'Events of the account, newest first.',
    input: z.object({
      before: instant.optional(),
      limit: z.number().int().min(1).max(100).optional(),
      actions: z.array(text(60)).max(100).optional(),
      userAgents: z.array(text(500)).max(100).optional(),
    }),
    output: listOf(activityRecord),
  },
  listSentMails: {
    method: 'GET',
    path: '/auth/mails',
    scope: 'account:read',
    access: 'user',
    summary: "Mails that were sent to the account's verified address, newest first, without content.",
    output: listOf(sentMailRecord),
  },
} as const satisfies Record<string, EndpointContract>
