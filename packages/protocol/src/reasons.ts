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
  insufficientScope: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This token needs the scope {scope}.',
  },
  tokenNotAllowed: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Tokens cannot do this. Sign in instead.',
  },
  addressNotAllowed: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This token may not be used from {address}.',
  },
  invalidScope: { code: 'InvalidValue', sentence: 'The scope “{scope}” is not valid. {problem}.' },
  tooManyTokens: {
    code: 'ExceededQuota',
    sentence: 'There are {most} already. Revoke some first.',
  },
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
    sentence: 'Another request changed the same data at the same time. Nothing was saved. Try again.',
  },
  databaseUnavailable: { code: 'InternalServerError', status: 503, sentence: 'The database is not available.' },
  serverUnreachable: { code: 'ConnectionFailed', sentence: 'The server at {url} cannot be reached.' },
  invalidResponse: { code: 'InvalidJson', sentence: 'The server returned a response that is not JSON.' },
  cancelled: { code: 'OtherCause', sentence: 'The request was canceled.' },

  // OpenID provider
  authorizationRequestExpired: {
    code: 'ObjectNotFound',
    sentence: 'This request has expired or was opened in another browser. Start again in the app.',
  },
  invalidRedirectUri: {
    code: 'InvalidValue',
    sentence: 'The redirect address {uri} must be a full https:// address without a fragment or wildcard.',
  },
  tooManyOidcClients: { code: 'OperationForbidden', status: 403, sentence: 'The server has {most} clients already.' },

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
    sentence: 'This account will be deleted on {day}. You can restore it until then.',
  },
  emailNotVerified: { code: 'EmailNotFound', sentence: 'User email is not verified.' },
  reauthenticationRequired: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Confirm it’s you to continue.',
  },
  operatorForbidden: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Your role in the console does not allow this.',
  },
  operatorSecondFactor: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Turn on a second factor to use the console.',
  },
  lastAdmin: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This is the last administrator. Make another user an administrator first.',
  },
  settingInvalid: { code: 'InvalidValue', sentence: 'The setting is not valid: {problem}.' },
  settingFixed: {
    code: 'CommandUnavailable',
    status: 409,
    sentence: 'The configuration file or the environment sets {name}. Change it there.',
  },
  settingChanged: {
    code: 'InvalidValue',
    status: 409,
    sentence: 'Somebody else changed this setting in the meantime. Open it again and repeat your change.',
  },
  settingLocksOut: {
    code: 'OperationForbidden',
    status: 409,
    sentence: 'With this setting you could no longer use the console.',
  },
  testMailFailed: { code: 'OtherCause', status: 409, sentence: 'The mail server did not accept the email: {problem}.' },
  serviceNameTaken: { code: 'DuplicateValue', status: 409, sentence: 'Another service account has this name.' },
  viewNameTaken: { code: 'DuplicateValue', status: 409, sentence: 'Another view of this class has this name.' },
  queryNameTaken: { code: 'DuplicateValue', status: 409, sentence: 'Another query has this name.' },
  sqlRefused: { code: 'InvalidQuery', sentence: 'The query cannot run: {problem}.' },
  backupNotSet: {
    code: 'CommandUnavailable',
    status: 409,
    sentence: 'No backup location is set in the configuration.',
  },
  backupUnderWay: {
    code: 'CommandUnavailable',
    status: 409,
    sentence: 'A backup is in progress. Try again when it has finished.',
  },
  permissionsChanged: {
    code: 'OperationForbidden',
    status: 409,
    sentence: 'Someone else changed these permissions. Review them and try again.',
  },
  proofMissing: {
    code: 'MissingRequiredField',
    sentence: 'Provide a password, a passkey credential, or a signed message with its signature.',
  },
  wrongPassword: { code: 'ObjectNotFound', sentence: 'The password is incorrect.' },
  wrongCurrentPassword: { code: 'ObjectNotFound', sentence: 'The current password is incorrect.' },
  currentPasswordMissing: { code: 'PasswordMissing', sentence: 'The current password is required.' },
  challengeExpired: { code: 'ObjectNotFound', status: 401, sentence: 'This request has expired. Sign again.' },
  challengeOfOtherBrowser: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This request was started in another browser. Start again in this one.',
  },
  challengeUsed: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This request was already used or is not from this server. Start again.',
  },
  challengeOfOtherPurpose: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This signature is for another purpose.',
  },
  challengeOfOtherAccount: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This signature is for another account.',
  },
  messageNotOurs: { code: 'ObjectNotFound', status: 401, sentence: 'This is not a sign-in message of this server.' },
  messageChanged: { code: 'ObjectNotFound', status: 401, sentence: 'The signed message is not the one that was sent.' },
  invalidSignature: { code: 'ObjectNotFound', status: 401, sentence: 'The signature does not match the account.' },
  invalidAddress: {
    code: 'InvalidValue',
    sentence: 'address is not a valid account address. Check its characters and capitalization.',
  },
  chainNotAllowed: { code: 'InvalidValue', sentence: 'chainId {chainId} is not supported by this server.' },
  originNotAllowed: { code: 'OperationForbidden', status: 403, sentence: 'Sign-in is not allowed from {origin}.' },
  sessionExpired: { code: 'InvalidSessionToken', sentence: 'Session token is expired.' },
  linkExpired: { code: 'OtherCause', sentence: 'This link has expired or was already used. Request a new one.' },
  operatorLinkExpired: {
    code: 'OtherCause',
    sentence: 'This link has expired or was already used. On the server, countersign admin link prints a new one.',
  },
  invalidRecoveryCode: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'Incorrect username or recovery code, or the code was already used.',
  },
  secondFactorRequired: {
    code: 'OtherCause',
    status: 401,
    // As the older clients know it.
    sentence: 'Missing additional authData mfa',
  },
  secondFactorSetUpRequired: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This account needs a second factor. Set one up to sign in.',
  },
  signInTicketExpired: { code: 'ObjectNotFound', status: 401, sentence: 'This sign-in has expired. Sign in again.' },
  invalidSecondFactorCode: { code: 'MfaError', status: 401, sentence: 'Invalid MFA token' },
  otherAccountHasSecondFactor: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The other account has a second factor. Sign in to it and turn it off first.',
  },
  otherAccountNeedsSecondFactor: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The other account must have a second factor. Sign in to it and set one up first.',
  },
  mergeNeedsSecondFactor: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The other account is protected by a second factor. Set one up for this account first.',
  },
  secondFactorOn: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This account already has an authenticator app. Remove it first.',
  },
  secondFactorDemanded: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This server requires a second factor for this account.',
  },
  signInMethodOff: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Sign-in with {method} is not enabled on this server.',
  },
  signUpClosed: { code: 'OperationForbidden', status: 403, sentence: 'This server does not accept new accounts.' },
  emailDomainNotAllowed: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'New accounts need an email address of a domain that this server allows.',
  },
  invitationRequired: { code: 'OperationForbidden', status: 403, sentence: 'New accounts need an invitation.' },
  invitationInvalid: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This invitation has expired, was already used, or is for another address.',
  },
  emailCodeDisabled: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Sign-in with a code by email is not enabled on this server.',
  },
  invalidEmailCode: { code: 'ObjectNotFound', status: 401, sentence: 'The code is incorrect. Check it and try again.' },
  emailCodeExpired: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This code has expired, was already used, or was entered incorrectly too often. Request a new one.',
  },
  tooManyEmailCodes: {
    code: 'RequestLimitExceeded',
    sentence: 'Too many codes were requested for this address. Try again in {minutes} minute(s).',
  },
  emailCodeWithoutAddress: {
    code: 'EmailMissing',
    sentence: 'This account has no email address that was verified while signed in.',
  },
  emailOpensNothing: {
    code: 'OperationForbidden',
    status: 403,
    sentence:
      'The account with this address uses a wallet, a passkey or a provider. Sign in that way and verify the address there.',
  },
  mailNotEnough: {
    code: 'OperationForbidden',
    status: 403,
    sentence:
      'You can’t sign in to this account with email alone. Sign in another way, or use the address for a new account.',
  },
  olderProofRequired: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Use a password, wallet or passkey that the account had before the change.',
  },
  walletUnlinked: {
    code: 'OperationForbidden',
    status: 403,
    sentence:
      'This wallet was removed from its account. You can restore it until {day}, or create a new account with it.',
  },
  accountMerged: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This account was merged into another one. You can undo the merge until {day}.',
  },
  olderSignInDisabled: {
    code: 'OperationForbidden',
    sentence: 'Sign-in with the legacy message format is disabled on this server.',
  },
  signedWordsNotAllowed: {
    code: 'ObjectNotFound',
    sentence: 'The signed message does not belong to this application.',
  },

  signInNameMissing: { code: 'UsernameMissing', sentence: 'username/email is required.' },
  signInPasswordMissing: { code: 'PasswordMissing', sentence: 'password is required.' },

  // Accounts
  usernameMissing: { code: 'UsernameMissing', sentence: 'bad or missing username' },
  passwordMissing: { code: 'PasswordMissing', sentence: 'password is required' },
  emailMissing: { code: 'EmailMissing', sentence: 'you must provide an email' },
  emailNotText: { code: 'InvalidEmailAddress', sentence: 'you must provide a valid email string' },
  usernameTooLong: { code: 'UsernameMissing', sentence: 'A username can have at most {max} characters.' },
  usernameHasHiddenCharacters: {
    code: 'UsernameMissing',
    sentence: 'A username must not contain control characters, direction marks or invisible characters.',
  },
  usernameIsEmailAddress: {
    code: 'UsernameMissing',
    sentence: 'A username must not be an email address, unless it is the one of the account.',
  },
  usernameIsWalletAddress: {
    code: 'UsernameMissing',
    sentence: 'A username must not be a wallet address, unless the wallet is linked to the account.',
  },
  usernameIsThisAddress: {
    code: 'EmailMissing',
    sentence: 'The username is this email address. Change the username too.',
  },
  emailTooLong: { code: 'InvalidEmailAddress', sentence: 'An email address can have at most {max} characters.' },
  passwordTooShort: { code: 'ValidationError', sentence: 'A password needs at least {min} characters.' },
  passwordContainsUsername: { code: 'ValidationError', sentence: 'A password must not contain the username.' },
  passwordTooLong: { code: 'ValidationError', sentence: 'A password can have at most {max} characters.' },
  textTooLong: { code: 'InvalidValue', sentence: '{field} can have at most {max} characters.' },
  hiddenCharacters: {
    code: 'InvalidValue',
    sentence: '{field} must not contain control characters, direction marks or invisible characters.',
  },
  usernameTaken: { code: 'UsernameTaken', sentence: 'Account already exists for this username.' },
  emailTaken: { code: 'EmailTaken', sentence: 'Account already exists for this email address.' },
  invalidEmailAddress: { code: 'InvalidEmailAddress', sentence: 'Email address format is invalid.' },
  invalidSessionToken: { code: 'InvalidSessionToken', sentence: 'Invalid session token' },
  unsentWrites: {
    code: 'OtherCause',
    sentence: 'Changes that are not sent yet would be lost: {count}.',
  },
  deviceFull: { code: 'OtherCause', sentence: 'This device has no room left to save changes.' },
  objectChanged: {
    code: 'OperationForbidden',
    status: 409,
    sentence: 'The object was changed in the meantime. Read it again.',
  },
  objectNotFound: { code: 'ObjectNotFound', sentence: 'Object not found.' },
  internalServerError: { code: 'InternalServerError', sentence: 'Internal server error.' },
  accountAlreadyLinked: { code: 'AccountAlreadyLinked', status: 409, sentence: 'this auth is already used' },

  // Sign-in methods
  lastSignInMethod: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This is your only sign-in method. Add another one first.',
  },
  accountNotDeployed: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The smart account of this wallet is not deployed yet. Deploy it, then sign in with it again.',
  },
  walletNotFound: { code: 'ObjectNotFound', sentence: 'Wallet not found in your account.' },
  walletNotLinked: { code: 'ObjectNotFound', sentence: 'This wallet is not linked to your account.' },
  identityNotFound: { code: 'ObjectNotFound', sentence: 'Sign-in method not found in your account.' },
  identityRestoreExpired: {
    code: 'ObjectNotFound',
    sentence: 'This sign-in method can no longer be restored. Add it again.',
  },
  providerUnknown: { code: 'ObjectNotFound', sentence: 'Unknown sign-in provider.' },
  providerUnavailable: {
    code: 'ConnectionFailed',
    status: 502,
    sentence: '{provider} cannot be reached. Try again in a moment.',
  },
  providerDeclined: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'You declined the sign-in at {provider}.',
  },
  providerRefused: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Sign-in with {provider} failed. Try again.',
  },
  providerProofTooOld: {
    code: 'OperationForbidden',
    status: 403,
    sentence: '{provider} did not ask you to sign in again. Sign out there, then try again.',
  },
  signInToLink: {
    code: 'EmailTaken',
    status: 409,
    sentence: 'An account with this email address exists. Sign in to it, then add {provider} to it.',
  },
  identityNotLinked: { code: 'ObjectNotFound', sentence: 'This sign-in method is not linked to your account.' },
  walletLinkedAlready: { code: 'InvalidValue', sentence: 'This wallet is already linked to your account.' },
  walletWithoutAccount: {
    code: 'ObjectNotFound',
    sentence: 'No account uses this wallet. Link it to yours instead.',
  },
  passkeyRestoreExpired: {
    code: 'ObjectNotFound',
    sentence: 'This passkey can no longer be restored. Add it again.',
  },
  walletRestoreExpired: {
    code: 'ObjectNotFound',
    sentence: 'This wallet can no longer be restored. Link it again.',
  },
  mergeNotFound: { code: 'ObjectNotFound', sentence: 'Merge not found. Start again.' },
  mergeExpired: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This merge was already completed or has expired. Start again.',
  },
  mergeUndone: { code: 'OperationForbidden', status: 403, sentence: 'This merge was already undone.' },
  mergeUndoExpired: { code: 'OperationForbidden', status: 403, sentence: 'This merge can no longer be undone.' },
  mergeUndoUnreadable: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'This merge can’t be undone because the server’s secret key has changed.',
  },
  mergeUndoWithoutMethod: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The other account would have no sign-in method: its wallets and passkeys are no longer yours.',
  },
  mergeUsernameTaken: {
    code: 'UsernameTaken',
    status: 409,
    sentence: 'The other account’s username is now in use, so the account can’t be restored.',
  },
  mergeEmailTaken: {
    code: 'EmailTaken',
    status: 409,
    sentence: 'The email address of the other account was just taken. Try again.',
  },
  mergeDuplicate: {
    code: 'DuplicateValue',
    status: 409,
    sentence: 'Both accounts have an object of {className}, but a user can have only one. Delete one of them first.',
  },
  mergeWithItself: { code: 'InvalidValue', sentence: 'That is the account you are signed in to. Choose another one.' },
  otherAccountNotProven: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Sign in to the other account again. Your last sign-in there must be less than five minutes ago.',
  },
  otherAccountLocked: { code: 'OperationForbidden', status: 403, sentence: 'That account is locked.' },
  otherAccountOperator: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'The other account is an operator of this server. Sign in to it and merge this one into it.',
  },
  emailOfOtherAccount: {
    code: 'EmailTaken',
    status: 409,
    sentence: 'This email address now belongs to another account of yours.',
  },
  passkeyOfOtherPage: { code: 'ObjectNotFound', status: 401, sentence: 'The passkey was not requested by this page.' },
  passkeyCopied: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This passkey may have been copied. Sign in another way and replace it.',
  },
  passkeyUnknown: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'Unknown passkey. Sign in another way, then add it again.',
  },
  passkeyRefused: { code: 'ObjectNotFound', status: 401, sentence: 'The passkey could not be verified.' },
  passkeyNotVerifyingUser: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'Your device did not verify you. Use one with a PIN, fingerprint or face unlock.',
  },
  passkeyOfOtherAccount: {
    code: 'ObjectNotFound',
    status: 401,
    sentence: 'This passkey belongs to another account.',
  },
  passkeyTaken: { code: 'AccountAlreadyLinked', status: 409, sentence: 'This passkey is already in use.' },
  passkeyMissing: { code: 'OperationForbidden', status: 403, sentence: 'This account has no passkey.' },
  passkeysNeedHostName: {
    code: 'OperationForbidden',
    status: 403,
    sentence: 'Passkeys require a host name. This server is configured with an IP address.',
  },
  passkeyCancelled: {
    code: 'OtherCause',
    sentence: 'No passkey was used. The request was canceled or timed out.',
  },
  passkeyKnown: { code: 'OtherCause', sentence: 'This device already has a passkey for your account.' },
  passkeyUnsupported: {
    code: 'OtherCause',
    sentence: 'Passkeys are not supported by this browser, device or page address.',
  },
  passkeyFailed: { code: 'OtherCause', sentence: 'The passkey could not be used.' },

  // Wallets, in the client
  userRejected: { code: 'OtherCause', sentence: 'The request was rejected in the wallet.' },
  wrongChain: {
    code: 'OperationForbidden',
    sentence: 'The wallet is on chain {walletChainId}, but chain {chainId} is required.',
  },
  walletAccountChanged: { code: 'OtherCause', sentence: 'The account in the wallet changed while signing.' },
  contractReverted: { code: 'OtherCause', sentence: 'The contract reverted: {revertReason}' },

  // Chain data
  callReverted: { code: 'ValidationError', sentence: 'The contract call reverted: {said}' },
  nodeMethodMissing: {
    code: 'CommandUnavailable',
    sentence: 'No node configured for this chain supports this request.',
  },
  nodeStateMissing: {
    code: 'CommandUnavailable',
    sentence: 'No node configured for this chain keeps the state of blocks that old.',
  },
  blockNotFound: { code: 'ObjectNotFound', sentence: 'Block not found on this chain.' },
  rangeTooLarge: {
    code: 'InvalidQuery',
    sentence: 'The range is too large for the nodes of this chain. Request fewer blocks.',
  },
  nodeRefused: { code: 'OtherCause', sentence: 'The node of this chain rejected the request: {said}' },
  nodeUnavailable: {
    code: 'ConnectionFailed',
    sentence: 'No node of this chain is responding. Try again later.',
  },
  nodeBusy: {
    code: 'ConnectionFailed',
    sentence: 'The nodes of this chain are busy. Try again in a moment.',
  },
  nodeInvalidResponse: {
    code: 'ConnectionFailed',
    sentence: 'The node of this chain returned an invalid response.',
  },
} as const satisfies Record<string, ReasonDefinition>

export type NamedReason = keyof typeof reasons

/** The stable name of a refusal: one of the table, or the name of its code. */
export type Reason = NamedReason | Uncapitalize<ErrorName>
