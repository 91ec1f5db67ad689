import type { ErrorName } from './errorCodes.ts'

/** Values that a sentence about a refusal names, such as the field, a limit or a time. */
export type ReasonParams = { readonly [name: string]: string | number | boolean }

export type ReasonDefinition = {
  /** The number that older clients know it by. */
  code: ErrorName
  /** The HTTP status, where it is not the usual one of the code. */
  status?: number
  /** The English sentence; `{name}` is taken from the params. */
  sentence: string
}

/**
 * The refusals that programs tell apart: by the stable name, never by the sentence. A refusal without an entry here has
 * the name of its code as its reason (`objectNotFound`, `invalidQuery` …). `docs/errors.md` is made from this table and
 * from `errorCodes`.
 */
export const reasons = {
  // Any request
  unauthorized: { code: 'OperationForbidden', status: 403, sentence: 'unauthorized' },
  unknownEndpoint: { code: 'CommandUnavailable', status: 404, sentence: 'Unknown endpoint: {method} {path}.' },
  invalidInput: { code: 'InvalidValue', sentence: '{field} {problem}.' },
  rateLimited: { code: 'RequestLimitExceeded', sentence: 'Too many requests.' },
  bodyTooLarge: { code: 'ObjectTooLarge', status: 413, sentence: 'The request is too large.' },
  serverBusy: {
    code: 'InternalServerError',
    status: 503,
    sentence: 'The server is busy. Try again in a moment.',
  },
  writeConflict: {
    code: 'InternalServerError',
    status: 503,
    sentence: 'Others changed the same objects at the same time. Nothing was changed; try again.',
  },
  databaseUnavailable: { code: 'InternalServerError', status: 503, sentence: 'The database is not available.' },
  serverUnreachable: { code: 'ConnectionFailed', sentence: 'The server at {url} cannot be reached.' },
  invalidResponse: { code: 'InvalidJson', sentence: 'The server gave an answer that is not JSON.' },
  cancelled: { code: 'OtherCause', sentence: 'The request was cancelled.' },

  // Signing in
  invalidCredentials: { code: 'ObjectNotFound', sentence: 'Invalid username/password.' },
  accountLocked: { code: 'ObjectNotFound', sentence: 'This account is locked.' },
  tooManyFailedSignIns: {
    code: 'ObjectNotFound',
    sentence:
      'Your account is locked due to multiple failed login attempts. Please try again after {minutes} minute(s)',
  },
  accountDeletionPending: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This account will be deleted on {day}. Until then it can be restored.',
  },
  emailNotVerified: { code: 'EmailNotFound', sentence: 'User email is not verified.' },
  reauthenticationRequired: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Please confirm that it is you first.',
  },
  proofMissing: {
    code: 'MissingRequiredField',
    sentence: 'A password, a credential, or a message and its signature are needed.',
  },
  wrongPassword: { code: 'ObjectNotFound', sentence: 'The password is not right.' },
  wrongCurrentPassword: { code: 'ObjectNotFound', sentence: 'The current password is not right.' },
  currentPasswordMissing: { code: 'PasswordMissing', sentence: 'The current password is required.' },
  challengeExpired: { code: 'ObjectNotFound', status: 401, sentence: 'That took too long. Please sign again.' },
  challengeOfOtherBrowser: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This request was made in another browser. Start again in this one.',
  },
  invalidSignature: { code: 'ObjectNotFound', status: 401, sentence: 'The signature does not fit the account.' },
  invalidAddress: {
    code: 'InvalidValue',
    sentence: 'address is not an account address; check its letters, capitals included.',
  },
  chainNotAllowed: { code: 'InvalidValue', sentence: 'chainId {chainId} is not one of the chains offered here.' },
  originNotAllowed: { code: 'OperationForbidden', status: 403, sentence: 'Sign-in is not allowed from {origin}.' },
  sessionExpired: { code: 'InvalidSessionToken', sentence: 'Session token is expired.' },
  linkExpired: { code: 'OtherCause', sentence: 'This link has expired or was used already. Ask for a new one.' },
  invalidRecoveryCode: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This recovery code does not fit that name, or was used already.',
  },
  olderSignInDisabled: {
    code: 'OperationForbidden',
    sentence: 'Signing in with a text of the older form is switched off on this server.',
  },
  signedWordsNotAllowed: {
    code: 'ObjectNotFound',
    sentence: 'The words that were signed are not those of this application.',
  },

  signInNameMissing: { code: 'UsernameMissing', sentence: 'username/email is required.' },
  signInPasswordMissing: { code: 'PasswordMissing', sentence: 'password is required.' },

  // Accounts
  usernameMissing: { code: 'UsernameMissing', sentence: 'bad or missing username' },
  passwordMissing: { code: 'PasswordMissing', sentence: 'password is required' },
  emailMissing: { code: 'EmailMissing', sentence: 'you must provide an email' },
  emailNotText: { code: 'InvalidEmailAddress', sentence: 'you must provide a valid email string' },
  usernameTooLong: { code: 'UsernameMissing', sentence: 'A user name has at most {max} characters.' },
  usernameHasHiddenCharacters: {
    code: 'UsernameMissing',
    sentence: 'A user name may not hold control characters, direction marks or invisible characters.',
  },
  usernameIsEmailAddress: {
    code: 'UsernameMissing',
    sentence: 'A user name may not be an e-mail address, unless it is that of the account.',
  },
  usernameIsWalletAddress: {
    code: 'UsernameMissing',
    sentence: 'A user name may not be a wallet address, unless the wallet is linked to the account.',
  },
  usernameIsThisAddress: {
    code: 'EmailMissing',
    sentence: 'The user name is this e-mail address. Choose another user name together with it.',
  },
  emailTooLong: { code: 'InvalidEmailAddress', sentence: 'An e-mail address has at most {max} characters.' },
  passwordTooLong: { code: 'ValidationError', sentence: 'A password may have {max} characters at most.' },
  textTooLong: { code: 'InvalidValue', sentence: '{field} has at most {max} characters.' },
  hiddenCharacters: {
    code: 'InvalidValue',
    sentence: '{field} may not hold control characters, direction marks or invisible characters.',
  },
  usernameTaken: { code: 'UsernameTaken', sentence: 'Account already exists for this username.' },
  emailTaken: { code: 'EmailTaken', sentence: 'Account already exists for this email address.' },
  invalidEmailAddress: { code: 'InvalidEmailAddress', sentence: 'Email address format is invalid.' },
  invalidSessionToken: { code: 'InvalidSessionToken', sentence: 'Invalid session token' },
  objectNotFound: { code: 'ObjectNotFound', sentence: 'Object not found.' },
  internalServerError: { code: 'InternalServerError', sentence: 'Internal server error.' },
  accountAlreadyLinked: { code: 'AccountAlreadyLinked', status: 409, sentence: 'this auth is already used' },

  // Sign-in methods
  lastSignInMethod: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This is the last way into your account. Add another one first.',
  },
  accountNotDeployed: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The smart account of this wallet is not deployed yet. Deploy it and sign in with it again first.',
  },
  walletNotFound: { code: 'ObjectNotFound', sentence: 'You have no such wallet.' },
  walletNotLinked: { code: 'ObjectNotFound', sentence: 'This wallet is not linked to your account.' },
  walletLinkedAlready: { code: 'InvalidValue', sentence: 'This wallet is linked to your account already.' },
  walletWithoutAccount: {
    code: 'ObjectNotFound',
    sentence: 'This wallet belongs to no account. Link it to yours instead.',
  },
  walletRestoreExpired: {
    code: 'ObjectNotFound',
    sentence: 'There is no such wallet to restore any more. Link it again.',
  },
  mergeNotFound: { code: 'ObjectNotFound', sentence: 'There is no such merge. Start again.' },
  mergeExpired: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This merge was carried out already, or its proof is too old. Start again.',
  },
  passkeyUnknown: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This passkey is not known here. Sign in another way, and add it again.',
  },
  passkeyRefused: { code: 'ObjectNotFound', status: 401, sentence: 'The passkey could not be verified.' },
  passkeyNotVerifyingUser: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'Your device did not check that it is you. Use one with a PIN, a fingerprint or your face.',
  },
  passkeyOfOtherAccount: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This passkey belongs to another account.',
  },
  passkeyTaken: { code: 'AccountAlreadyLinked', status: 409, sentence: 'This passkey is in use already.' },
  passkeyMissing: { code: 'OperationForbidden', status: 403, sentence: 'This account has no passkey.' },
  passkeysNeedHostName: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Passkeys need a host name, and this server is only known by its address.',
  },
  passkeyCancelled: {
    code: 'OtherCause',
    sentence: 'No passkey was used: it was cancelled, or it took too long.',
  },
  passkeyKnown: { code: 'OtherCause', sentence: 'This device has a passkey for your account already.' },
  passkeyUnsupported: {
    code: 'OtherCause',
    sentence: 'Passkeys do not work in this browser, on this device or at this address.',
  },
  passkeyFailed: { code: 'OtherCause', sentence: 'The passkey could not be used.' },

  // Wallets, in the client
  userRejected: { code: 'OtherCause', sentence: 'The request was rejected in the wallet.' },
  wrongChain: {
    code: 'OperationForbidden',
    sentence: 'The wallet is on the chain {walletChainId}; this needs the chain {chainId}.',
  },
  walletAccountChanged: { code: 'OtherCause', sentence: 'The account of the wallet changed while it signed.' },
  contractReverted: { code: 'OtherCause', sentence: 'The contract refused: {revertReason}' },

  // Chain data
  callReverted: { code: 'ValidationError', sentence: 'The contract refused the call: {said}' },
  nodeMethodMissing: {
    code: 'CommandUnavailable',
    sentence: 'No node of this chain that is configured here can answer that.',
  },
  nodeStateMissing: {
    code: 'CommandUnavailable',
    sentence: 'No node of this chain that is configured here keeps the state of blocks that old.',
  },
  blockNotFound: { code: 'ObjectNotFound', sentence: 'The chain has no such block.' },
  rangeTooLarge: {
    code: 'InvalidQuery',
    sentence: 'The nodes of this chain do not answer that much at once. Ask for fewer blocks.',
  },
  nodeRefused: { code: 'OtherCause', sentence: 'The node of this chain refused the question: {said}' },
  nodeUnavailable: {
    code: 'ConnectionFailed',
    sentence: 'No node of this chain answers at the moment. Try again later.',
  },
  nodeBusy: {
    code: 'ConnectionFailed',
    sentence: 'The nodes of this chain are too busy. Try again in a moment.',
  },
  nodeInvalidResponse: {
    code: 'ConnectionFailed',
    sentence: 'The node of this chain answered with something that cannot be.',
  },
} as const satisfies Record<string, ReasonDefinition>

export type NamedReason = keyof typeof reasons

/** The stable name of a refusal: one of the table, or the name of its code. */
export type Reason = NamedReason | Uncapitalize<ErrorName>
