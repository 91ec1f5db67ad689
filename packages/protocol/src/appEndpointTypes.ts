import type { SchemaRecord } from './operatorRecords.ts'
import type { FindInput, WireWhere } from './queries.ts'
import type {
  AccountSecurity,
  ActivityRecord,
  BatchAnswer,
  BatchRequest,
  ChallengePurpose,
  ChallengeRecord,
  IdentityRecord,
  MergePreview,
  ObjectRecord,
  OutboxMail,
  PasskeyRecord,
  ProviderRecord,
  ProviderResponse,
  SecondFactorRecord,
  SessionRecord,
  SignInMethods,
  SignInOptions,
  UserRecord,
  WalletRecord,
} from './records.ts'
import type { WireChanges, WireFields, WireValue } from './values.ts'

type Empty = Record<never, never>
type InstallationInput = WireFields & { installationId?: string; deviceToken?: string | null; deviceType?: string }

/** What the endpoints of accounts, objects, schemas, files and installations take and answer. */
export type AppEndpointTypes = {
  signUp: {
    input: WireFields & { username: string; password: string; email?: string }
    output: { objectId: string; createdAt: string; sessionToken?: string } & WireFields
  }
  logIn: {
    input: { username?: string; email?: string; password: string; restoreAccount?: boolean; authData?: WireFields }
    output: UserRecord
  }
  logInByGet: {
    input: { username?: string; email?: string; password: string; restoreAccount?: boolean }
    output: UserRecord
  }
  challenge: {
    input: {
      username?: string
      email?: string
      password?: string
      authData?: WireFields
      challengeData: WireFields
    }
    output: { challengeData: WireFields }
  }
  logInAs: { input: { userId: string }; output: UserRecord }
  logOut: { input: Empty; output: Empty }
  verifyPassword: { input: { username?: string; email?: string; password: string }; output: UserRecord }
  getCurrentUser: { input: Empty; output: UserRecord }
  getUser: { input: { objectId: string }; output: UserRecord }
  updateUser: {
    input: { objectId: string } & WireChanges
    output: { updatedAt: string; sessionToken?: string } & WireFields
  }
  deleteUser: { input: { objectId: string }; output: Empty }
  /**
   * Asks for the current password, sets the new one and ends every other session. An account without a password
   * gets its first one by a session that was confirmed recently.
   */
  changePassword: { input: { currentPassword?: string; newPassword: string }; output: { sessionToken?: string } }
  requestPasswordReset: { input: { email: string }; output: Empty }
  resetPassword: { input: { token: string; password: string }; output: Empty }
  requestEmailVerification: { input: { email: string }; output: Empty }
  verifyEmail: { input: { token: string }; output: Empty }
  /** Brings a replaced address back. `resetToken` chooses the new password: `resetPassword { token, password }`. */
  undoEmailChange: { input: { token: string }; output: { resetToken: string } }
  listSessions: { input: Empty; output: { results: SessionRecord[] } }
  createSession: { input: WireFields; output: SessionRecord }
  getCurrentSession: { input: Empty; output: SessionRecord }
  getSession: { input: { objectId: string }; output: SessionRecord }
  updateSession: { input: { objectId: string } & WireChanges; output: { updatedAt: string } & WireFields }
  revokeSession: { input: { objectId: string }; output: Empty }
  revokeOtherSessions: { input: Empty; output: { revoked: number } }
  upgradeToRevocableSession: { input: Empty; output: SessionRecord }
  createChallenge: {
    input: { purpose?: ChallengePurpose; namespace?: 'eip155' | 'solana'; address?: string; chainId?: number | string }
    output: ChallengeRecord
  }
  signInWithWallet: { input: { message: string; signature: string; restoreAccount?: boolean }; output: UserRecord }
  listWallets: { input: Empty; output: { results: WalletRecord[] } }
  linkWallet: { input: { message: string; signature: string }; output: WalletRecord }
  updateWallet: { input: { objectId: string; label?: string | null; primary?: true }; output: WalletRecord }
  unlinkWallet: { input: { objectId: string }; output: { undoUntil: string } }
  restoreWallet: { input: { objectId: string }; output: WalletRecord }
  listSignInMethods: { input: Empty; output: SignInMethods }
  previewMerge: { input: { message: string; signature: string } | { sessionToken: string }; output: MergePreview }
  merge: { input: { objectId: string }; output: { undoUntil: string } }
  undoMerge: { input: { objectId: string }; output: Empty }
  listActivity: {
    input: { before?: string; limit?: number; actions?: string[]; userAgents?: string[] }
    output: { results: ActivityRecord[] }
  }
  /** WebAuthn JSON as the browser takes and gives it. */
  getAccountSecurity: { input: Empty; output: AccountSecurity }
  updateAccountSecurity: { input: { signInAlerts: boolean }; output: AccountSecurity }
  createRecoveryCodes: { input: Empty; output: { codes: string[] } }
  signInWithRecoveryCode: { input: { username: string; code: string; restoreAccount?: boolean }; output: UserRecord }
  /** `reauthenticate` goes to the address of the session's account. */
  requestEmailCode: {
    input: { email?: string; purpose?: 'signIn' | 'reauthenticate' }
    output: { handle: string; expiresAt: string }
  }
  signInWithEmailCode: { input: { handle: string; code: string; restoreAccount?: boolean }; output: UserRecord }
  signInWithEmailLink: { input: { token: string; restoreAccount?: boolean }; output: UserRecord }
  getSecondFactor: { input: Empty; output: SecondFactorRecord }
  updateSecondFactor: { input: { passkey: boolean }; output: SecondFactorRecord }
  removeSecondFactor: { input: Empty; output: SecondFactorRecord }
  forgetDevices: { input: Empty; output: Empty }
  /** `uri` is what a QR code for an authenticator app holds. */
  startTotp: { input: { ticket?: string }; output: { secret: string; uri: string } }
  confirmTotp: { input: { code: string }; output: SecondFactorRecord }
  signInWithSecondFactor: {
    input: { ticket: string; code?: string; credential?: WireFields; rememberDevice?: boolean }
    output: UserRecord
  }
  exportAccount: { input: Empty; output: WireFields }
  createPasskeyRegistration: { input: Empty; output: { options: WireFields } }
  registerPasskey: { input: { credential: WireFields; name?: string }; output: PasskeyRecord }
  createPasskeyChallenge: { input: { purpose?: 'signIn' | 'reauthenticate' }; output: { options: WireFields } }
  signInWithPasskey: { input: { credential: WireFields; restoreAccount?: boolean }; output: UserRecord }
  listPasskeys: { input: Empty; output: { results: PasskeyRecord[] } }
  removePasskey: { input: { objectId: string }; output: { undoUntil: string } }
  restorePasskey: { input: { objectId: string }; output: PasskeyRecord }
  getSignInOptions: { input: Empty; output: SignInOptions }
  getPushKey: { input: Empty; output: { publicKey: string } }
  listProviders: { input: Empty; output: { results: ProviderRecord[] } }
  createProviderChallenge: {
    input: {
      provider: string
      purpose?: 'signIn' | 'link' | 'reauthenticate'
      display?: 'popup' | 'redirect'
      returnTo?: string
    }
    output: { url: string; state: string; expiresAt: string }
  }
  signInWithProvider: { input: ProviderResponse & { restoreAccount?: boolean }; output: UserRecord }
  linkProvider: { input: ProviderResponse; output: IdentityRecord }
  createFarcasterChallenge: {
    input: { purpose?: 'signIn' | 'link' | 'reauthenticate' }
    output: { nonce: string; domain: string; siweUri: string; expirationTime: string; relay?: string }
  }
  signInWithFarcaster: {
    input: { message: string; signature: string; restoreAccount?: boolean }
    output: UserRecord
  }
  linkFarcaster: { input: { message: string; signature: string }; output: IdentityRecord }
  unlinkIdentity: { input: { provider: string }; output: { undoUntil: string } }
  restoreIdentity: { input: { provider: string }; output: IdentityRecord }
  /** The session goes on under a new token; the old one ends. */
  reauthenticate: {
    input: {
      provider?: ProviderResponse
      credential?: WireFields
      message?: string
      signature?: string
      password?: string
      authData?: WireFields
      emailCode?: { handle: string; code: string }
      secondFactorCode?: string
    }
    output: { confirmedUntil: string; sessionToken?: string }
  }
  findObjects: {
    input: { className: string } & FindInput
    output: { results: ObjectRecord[]; count?: number; cursor?: string }
  }
  createObject: {
    input: { className: string } & WireFields
    output: { objectId: string; createdAt: string } & WireFields
  }
  getObject: {
    input: { className: string; objectId: string; keys?: string; excludeKeys?: string; include?: string }
    output: ObjectRecord
  }
  updateObject: {
    input: { className: string; objectId: string } & WireChanges
    output: { updatedAt: string } & WireFields
  }
  deleteObject: { input: { className: string; objectId: string }; output: Empty }
  findUsers: { input: FindInput; output: { results: UserRecord[]; count?: number; cursor?: string } }
  /** Requests that are carried out together; with `transaction` all of them or none. */
  batch: { input: { requests: BatchRequest[]; transaction?: boolean }; output: BatchAnswer[] }
  /** Master key. */
  aggregate: {
    input: { className: string; pipeline?: WireValue; distinct?: string; where?: WireWhere }
    output: { results: WireValue[] }
  }
  listSchemas: { input: Empty; output: { results: SchemaRecord[] } }
  getSchema: { input: { className: string }; output: SchemaRecord }
  createSchema: { input: { className: string } & Partial<SchemaRecord>; output: SchemaRecord }
  createNamedSchema: { input: { className: string } & Partial<SchemaRecord>; output: SchemaRecord }
  updateSchema: { input: { className: string } & WireFields; output: SchemaRecord }
  deleteSchema: { input: { className: string }; output: Empty }
  purgeClass: { input: { className: string }; output: Empty }
  /** Brings the classes to what a schema file says, all of it or nothing. */
  applySchema: {
    input: { classes: WireFields; dryRun?: boolean; allowDrops?: boolean }
    output: { plan: { text: string; drops: boolean }[]; applied: boolean }
  }
  getConfig: { input: Empty; output: { params: WireFields; masterKeyOnly?: { [name: string]: boolean } } }
  updateConfig: {
    input: { params: WireChanges; masterKeyOnly?: { [name: string]: boolean } }
    output: { result: true }
  }
  /** A function of the application; what it takes besides its name is its own affair. */
  runFunction: { input: { _function: string } & WireFields; output: { result?: WireValue } }
  /** The content as base64 inside JSON, for small files; larger ones are sent as they are, or in a form. */
  uploadFile: {
    input: { name: string; base64: string; fileData?: { metadata?: WireFields; tags?: WireFields; ipfs?: boolean } }
    output: { name: string; url: string; ipfs?: string; hash?: string }
  }
  createInstallation: {
    input: InstallationInput
    output: WireFields & { objectId: string } & ({ createdAt: string } | { updatedAt: string })
  }
  updateInstallation: { input: InstallationInput & { objectId: string }; output: WireFields & { updatedAt: string } }
  /** Master key. */
  deleteInstallation: { input: { objectId: string }; output: Empty }
  /** Master key. */
  deleteFile: { input: { name: string }; output: Empty }
  listOutbox: { input: Empty; output: { results: OutboxMail[] } }
  getHealth: { input: Empty; output: { status: 'ok' } }
}
