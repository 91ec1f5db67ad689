import type {
  AddressRecord,
  AvatarRecord,
  BlockRecord,
  ChainAnswer,
  ChainBlockRef,
  ChainPage,
  ChainPageInput,
  ChainRange,
  ChainRecord,
  CollectionRecord,
  InternalTransactionRecord,
  LogRecord,
  NftHoldingRecord,
  NftRecord,
  PairRecord,
  PictureRecord,
  PortfolioRecord,
  PriceRecord,
  SolanaPortfolioRecord,
  TokenBalanceRecord,
  TokenRecord,
  TransactionRecord,
  TransferRecord,
  ValueHistoryRecord,
} from './chain.ts'
import type { chainEndpoints } from './chainEndpoints.ts'
import type {
  AccessRecord,
  BackupList,
  ChainStatusRecord,
  ConsoleFileRecord,
  ConsoleFunctionRecord,
  ConsoleJobRecord,
  ConsoleRecord,
  ConsoleRoleRecord,
  ConsoleRoleRow,
  ConsoleUserRecord,
  ConsoleUserRow,
  FigureRange,
  KeyList,
  MailLogRecord,
  OperatorRecord,
  OperatorRole,
  OverviewRecord,
  RoleMemberRecord,
  SettingRecord,
  SlowQueryRecord,
  TokenGateHolderRecord,
  UserFilter,
  UserStatus,
} from './console.ts'
import type { FindInput, WireWhere } from './queries.ts'
import type {
  AccountSecurity,
  ActivityRecord,
  AudienceRecord,
  AuditRecord,
  AuditVerdict,
  BatchAnswer,
  BatchRequest,
  ChallengePurpose,
  ChallengeRecord,
  ClassOperation,
  ConnectionRecord,
  DeliveryRecord,
  IdentityRecord,
  InvitationRecord,
  LogLineRecord,
  MergePreview,
  ObjectRecord,
  OutboxMail,
  PasskeyRecord,
  ProviderRecord,
  ProviderResponse,
  RemoteFunctionRecord,
  RemoteHookRecord,
  SchemaRecord,
  SecondFactorRecord,
  SecurityReport,
  SessionRecord,
  SignInMethods,
  SignInOptions,
  StateRecord,
  SyncRecord,
  TokenGateRecord,
  UserRecord,
  WalletRecord,
  WebhookRecord,
} from './records.ts'
import type { WireChanges, WireFields, WireValue } from './values.ts'

type Empty = Record<never, never>
type InstallationInput = WireFields & { installationId?: string; deviceToken?: string | null; deviceType?: string }
type WebhookInput = Pick<WebhookRecord, 'url' | 'events'> & {
  classes?: string[] | null
  description?: string | null
  enabled?: boolean
}
/** By name, alias, decimal or hex id. */
type OnChain = { chain: string | number }

type OnSolana = { network: 'mainnet' | 'devnet'; address: string }
type SolanaPlace = Pick<SolanaPortfolioRecord, 'slot' | 'source'>

/** What each endpoint takes and answers. The key is the endpoint's one name on every level. */
export type EndpointTypes = {
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
  listChains: { input: Empty; output: { results: ChainRecord[] } }
  getChain: { input: { chain: string | number }; output: ChainRecord }
  getBlock: { input: OnChain & { block: string | number }; output: ChainAnswer<BlockRecord> }
  getBlockByDate: { input: OnChain & { date: string | number }; output: ChainAnswer<ChainBlockRef> }
  getTransaction: { input: OnChain & { hash: string }; output: ChainAnswer<TransactionRecord> }
  listInternalTransactions: { input: OnChain & { hash: string }; output: ChainAnswer<InternalTransactionRecord[]> }
  getAddress: { input: OnChain & { address: string }; output: ChainAnswer<AddressRecord> }
  getNativeBalance: {
    input: OnChain & { address: string; block?: number | string }
    output: ChainAnswer<{ balance: string; decimals: number; symbol: string }>
  }
  listNativeBalances: {
    input: OnChain & { addresses: string; block?: number | string }
    output: ChainAnswer<{ address: string; balance: string }[]>
  }
  listTokenBalances: {
    input: OnChain & { address: string; tokens?: string; block?: number | string }
    output: ChainAnswer<TokenBalanceRecord[]> & { status?: 'SYNCED' | 'SYNCING' }
  }
  listNfts: {
    input: OnChain & { address: string; tokens?: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftHoldingRecord>
  }
  listTransfers: {
    input: OnChain & { address: string; kind?: string; direction?: string; token?: string } & ChainPageInput &
      ChainRange
    output: ChainPage<TransferRecord>
  }
  listTransactions: {
    input: OnChain & { address: string } & Omit<ChainPageInput, 'order'> & ChainRange
    output: ChainPage<TransactionRecord>
  }
  listCollections: {
    input: OnChain & { address: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<CollectionRecord>
  }
  getNameOf: { input: OnChain & { address: string }; output: ChainAnswer<{ name: string; avatar?: AvatarRecord }> }
  resolveName: { input: OnChain & { name: string }; output: ChainAnswer<{ name: string; address: string }> }
  getNamePicture: { input: OnChain & { name: string }; output: ChainAnswer<PictureRecord> }
  listTokens: { input: OnChain & { addresses?: string; symbols?: string }; output: ChainAnswer<TokenRecord[]> }
  getToken: { input: OnChain & { token: string }; output: ChainAnswer<TokenRecord> }
  getTokenPrice: {
    input: OnChain & { token: string; exchange?: string; block?: number | string }
    output: ChainAnswer<PriceRecord>
  }
  getAllowance: {
    input: OnChain & { token: string; owner: string; spender: string; block?: number | string }
    output: ChainAnswer<{ allowance: string }>
  }
  listTokenTransfers: {
    input: OnChain & { token: string } & ChainPageInput & ChainRange
    output: ChainPage<TransferRecord>
  }
  getCollection: { input: OnChain & { token: string }; output: ChainAnswer<CollectionRecord> }
  listTokenIds: {
    input: OnChain & { token: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftRecord & { amount: string }>
  }
  listNftOwners: {
    input: OnChain & { token: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftHoldingRecord>
  }
  listNftTransfers: {
    input: OnChain & { token: string } & ChainPageInput & ChainRange
    output: ChainPage<TransferRecord>
  }
  getNft: { input: OnChain & { token: string; id: string }; output: ChainAnswer<NftRecord & { owner?: string }> }
  getNftPicture: { input: OnChain & { token: string; id: string }; output: ChainAnswer<PictureRecord> }
  listNftOwnersOfId: {
    input: OnChain & { token: string; id: string } & Omit<ChainPageInput, 'order'>
    output: ChainPage<NftHoldingRecord>
  }
  listNftTransfersOfId: {
    input: OnChain & { token: string; id: string } & ChainPageInput & ChainRange
    output: ChainPage<TransferRecord>
  }
  listLogs: {
    input: OnChain & { address?: string; topics?: string } & ChainPageInput & ChainRange
    output: ChainPage<LogRecord>
  }
  getPair: {
    input: OnChain & { tokenA: string; tokenB: string; exchange: string; block?: number | string }
    output: ChainAnswer<PairRecord>
  }
  followTransaction: { input: OnChain & { hash: string; data?: WireFields }; output: WireFields }
  callContract: {
    input: OnChain & { address: string; abi: unknown; function: string; params?: unknown; block?: number | string }
    output: ChainAnswer<unknown>
  }
  listEvents: {
    input: OnChain & { address: string; abi: unknown; event?: string } & ChainPageInput & ChainRange
    output: ChainPage<LogRecord>
  }
  /** What an address had over the last days, by balances and prices at blocks of that time. */
  getValueHistory: { input: OnChain & { address: string; days?: number }; output: ChainAnswer<ValueHistoryRecord> }
  /** What an address has, on every chain with a node of the operator's, or on those that are named. */
  getPortfolio: { input: { address: string; chains?: string }; output: PortfolioRecord }
  getSolanaBalance: {
    input: OnSolana
    output: SolanaPortfolioRecord['nativeBalance'] & SolanaPlace
  }
  listSolanaTokens: { input: OnSolana; output: Pick<SolanaPortfolioRecord, 'tokens'> & SolanaPlace }
  listSolanaNfts: { input: OnSolana; output: Pick<SolanaPortfolioRecord, 'nfts'> & SolanaPlace }
  getSolanaNft: { input: OnSolana; output: WireFields }
  getSolanaTokenPrice: { input: OnSolana; output: Empty }
  getSolanaPortfolio: { input: OnSolana; output: SolanaPortfolioRecord }
  /** Master key, as all that follows. */
  listSyncs: { input: Empty; output: { results: SyncRecord[] } }
  createSync: { input: { chain: number | string } & WireFields; output: SyncRecord }
  deleteSync: { input: { chain: string; name: string }; output: Empty }
  replaySync: { input: { chain: string; name: string }; output: SyncRecord }
  listStates: { input: Empty; output: { results: StateRecord[] } }
  replayState: { input: { name: string }; output: StateRecord }
  sendPush: {
    input: {
      where?: WireFields
      channels?: string[]
      audience_id?: string
      data: WireFields
      expiration_time?: string | number
      expiration_interval?: number
      push_time?: string | number
    }
    output: { result: true }
  }
  listInvitations: { input: Empty; output: { results: InvitationRecord[] } }
  createInvitation: {
    input: { email?: string | null; role?: string | null; note?: string | null; days?: number | null }
    output: InvitationRecord & { token: string; url: string }
  }
  deleteInvitation: { input: { objectId: string }; output: Empty }
  listWebhooks: { input: Empty; output: { results: WebhookRecord[] } }
  createWebhook: { input: WebhookInput; output: WebhookRecord & { secret: string } }
  getWebhook: { input: { objectId: string }; output: WebhookRecord }
  updateWebhook: {
    input: { objectId: string; renewSecret?: boolean } & Partial<WebhookInput>
    output: WebhookRecord & { secret?: string }
  }
  deleteWebhook: { input: { objectId: string }; output: Empty }
  testWebhook: { input: { objectId: string } & WireFields; output: { objectId: string } }
  listDeliveries: {
    input: { objectId: string; before?: string; status?: string; limit?: number }
    output: { results: DeliveryRecord[] }
  }
  resendDelivery: { input: { objectId: string; deliveryId: string }; output: { objectId: string } }
  listRemoteFunctions: { input: Empty; output: RemoteFunctionRecord[] }
  createRemoteFunction: { input: RemoteFunctionRecord; output: RemoteFunctionRecord & { warning?: string } }
  getRemoteFunction: { input: { functionName: string }; output: RemoteFunctionRecord }
  updateRemoteFunction: { input: RemoteFunctionRecord; output: RemoteFunctionRecord | Empty }
  deleteRemoteFunction: { input: { functionName: string }; output: Empty }
  listRemoteHooks: { input: Empty; output: RemoteHookRecord[] }
  createRemoteHook: { input: RemoteHookRecord; output: RemoteHookRecord }
  listRemoteHooksOfClass: { input: { className: string }; output: RemoteHookRecord[] }
  getRemoteHook: { input: { className: string; triggerName: string }; output: RemoteHookRecord }
  updateRemoteHook: { input: RemoteHookRecord; output: RemoteHookRecord | Empty }
  deleteRemoteHook: { input: { className: string; triggerName: string }; output: Empty }
  startJob: { input: { jobName: string } & WireFields; output: Empty }
  startNamedJob: { input: { jobName: string } & WireFields; output: Empty }
  listSchedules: { input: Empty; output: WireFields[] }
  listJobs: { input: Empty; output: { in_use: string[]; jobs: string[] } }
  createSchedule: { input: WireFields; output: WireFields }
  updateSchedule: { input: { objectId: string } & WireFields; output: WireFields }
  deleteSchedule: { input: { objectId: string }; output: Empty }
  listTokenGates: { input: { role?: string }; output: { results: TokenGateRecord[] } }
  createTokenGate: {
    input: { role: string; chain: string | number; kind: string; token?: string; tokenId?: string; amount?: string }
    output: TokenGateRecord
  }
  getTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  deleteTokenGate: { input: { objectId: string }; output: Empty }
  checkTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  listOutbox: { input: Empty; output: { results: OutboxMail[] } }
  getHealth: { input: Empty; output: { status: 'ok' } }
  getServerInfo: {
    input: Empty
    output: { features: Record<string, Record<string, boolean>>; parseServerVersion: string; version: string }
  }
  getConnection: { input: Empty; output: ConnectionRecord }
  listAudit: {
    input: { before?: string; limit?: string; actor?: string; action?: string; subject?: string }
    output: { results: AuditRecord[] }
  }
  verifyAudit: { input: { anchor?: string }; output: AuditVerdict }
  getConsole: { input: Empty; output: ConsoleRecord }
  claimConsole: { input: { token: string }; output: { role: OperatorRole } }
  endImpersonation: { input: Empty; output: { sessionToken?: string } }
  getOverview: { input: { range?: FigureRange }; output: OverviewRecord }
  listConsoleUsers: {
    input: { search?: string; filter?: UserFilter; after?: string; limit?: string }
    output: { results: ConsoleUserRow[]; next?: string }
  }
  getConsoleUser: { input: { objectId: string }; output: ConsoleUserRecord }
  exportConsoleUser: { input: { objectId: string }; output: WireFields }
  disableUser: { input: { objectId: string }; output: { status: UserStatus } }
  enableUser: { input: { objectId: string }; output: { status: UserStatus } }
  signOutUser: { input: { objectId: string }; output: { revoked: number } }
  verifyUserEmail: { input: { objectId: string }; output: Empty }
  sendUserReset: { input: { objectId: string }; output: Empty }
  impersonateUser: {
    input: { objectId: string }
    output: { user: { objectId: string; username: string }; expiresAt: string; sessionToken?: string }
  }
  deleteConsoleUser: { input: { objectId: string }; output: Empty }
  testAccess: {
    input: { user?: string; className: string; objectId?: string; operation: ClassOperation }
    output: AccessRecord
  }
  listConsoleRoles: {
    input: { search?: string; parent?: string; after?: string; limit?: string }
    output: { results: ConsoleRoleRow[]; next?: string }
  }
  getConsoleRole: { input: { objectId: string }; output: ConsoleRoleRecord }
  listRoleMembers: {
    input: { objectId: string; search?: string; after?: string; limit?: string }
    output: { results: RoleMemberRecord[]; next?: string }
  }
  listConsoleFiles: {
    input: { search?: string; after?: string; limit?: string }
    output: { results: ConsoleFileRecord[]; next?: string }
  }
  listTokenGateHolders: {
    input: { objectId: string; after?: string; limit?: string }
    output: { results: TokenGateHolderRecord[]; next?: string }
  }
  listMailLog: {
    input: { search?: string; outcome?: 'all' | 'sent' | 'failed'; after?: string; limit?: string }
    output: { isSending: boolean; days: number; results: MailLogRecord[]; next?: string }
  }
  getSettings: { input: Empty; output: { results: SettingRecord[] } }
  listOperators: { input: Empty; output: { results: OperatorRecord[] } }
  setOperator: { input: { objectId: string; role: OperatorRole }; output: OperatorRecord }
  removeOperator: { input: { objectId: string }; output: Empty }
  createOperatorLink: { input: { role?: OperatorRole }; output: { url: string; role: OperatorRole; expiresAt: string } }
  listConsoleFunctions: { input: Empty; output: { results: ConsoleFunctionRecord[] } }
  listConsoleJobs: { input: Empty; output: { results: ConsoleJobRecord[] } }
  previewSchema: {
    input: {
      className: string
      fields?: { [name: string]: WireValue }
      indexes?: { [name: string]: WireValue }
      drop?: boolean
    }
    output: { plan: { text: string; drops: boolean }[]; file: string }
  }
  listSlowQueries: { input: Empty; output: { since: string; threshold: number; results: SlowQueryRecord[] } }
  getQueryPlan: { input: { objectId: string }; output: { plan: string } }
  listKeys: { input: Empty; output: KeyList }
  rotateKeys: { input: { confirm: true }; output: { resealed: number; unreadable: number; masterKey?: string } }
  retireKeys: { input: { confirm: true }; output: { resealed: number; unreadable: number; masterKey?: string } }
  listBackups: { input: Empty; output: BackupList }
  createBackup: { input: Empty; output: { name: string } }
  getChainStatus: { input: Empty; output: { results: ChainStatusRecord[] } }
  /** Under the names and in the forms that the dashboard of parse-server asks for. */
  listLogLines: {
    input: {
      level?: string
      n?: number
      size?: number
      from?: string | number
      startDate?: string | number
      until?: string | number
      order?: 'asc' | 'desc'
    }
    output: LogLineRecord[]
  }
  listReleases: { input: Empty; output: WireFields[] }
  checkSecurity: { input: Empty; output: { report: SecurityReport } }
  listAudiences: { input: { limit?: number; skip?: number }; output: { results: AudienceRecord[]; showMore: boolean } }
  createAudience: {
    input: { name: string; query: string | WireFields }
    output: { objectId: string; createdAt: string; new_audience: { objectId: string } }
  }
  getAudience: { input: { objectId: string }; output: AudienceRecord }
  updateAudience: {
    input: { objectId: string; name?: string; query?: string | WireFields }
    output: { updatedAt: string }
  }
  deleteAudience: { input: { objectId: string }; output: Empty }
}

export type EndpointName = keyof EndpointTypes
export type EndpointPlace = { method: Method; path: string; sessionless?: true; textQuery?: true }
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Where each endpoint stands, under the mount, for clients, which do without the contract itself; a test holds the two
 * equal. `:name` is taken from the input. `sessionless`: no session is sent along. `textQuery`: the values of the query
 * are written as they are, not as JSON.
 */
export const endpoints = {
  verifyPassword: { method: 'POST', path: '/verifyPassword', sessionless: true },
  signUp: { method: 'POST', path: '/users', sessionless: true },
  logIn: { method: 'POST', path: '/login', sessionless: true },
  logInByGet: { method: 'GET', path: '/login', sessionless: true, textQuery: true },
  logOut: { method: 'POST', path: '/logout' },
  getCurrentUser: { method: 'GET', path: '/users/me' },
  getUser: { method: 'GET', path: '/users/:objectId' },
  updateUser: { method: 'PUT', path: '/users/:objectId' },
  deleteUser: { method: 'DELETE', path: '/users/:objectId' },
  changePassword: { method: 'POST', path: '/changePassword' },
  requestPasswordReset: { method: 'POST', path: '/requestPasswordReset', sessionless: true },
  resetPassword: { method: 'POST', path: '/resetPassword', sessionless: true },
  requestEmailVerification: { method: 'POST', path: '/verificationEmailRequest', sessionless: true },
  verifyEmail: { method: 'POST', path: '/verifyEmail' },
  undoEmailChange: { method: 'POST', path: '/undoEmailChange', sessionless: true },
  listSessions: { method: 'GET', path: '/sessions' },
  getSession: { method: 'GET', path: '/sessions/:objectId' },
  updateSession: { method: 'PUT', path: '/sessions/:objectId' },
  revokeSession: { method: 'DELETE', path: '/sessions/:objectId' },
  revokeOtherSessions: { method: 'POST', path: '/revokeOtherSessions' },
  createChallenge: { method: 'POST', path: '/auth/challenge' },
  signInWithWallet: { method: 'POST', path: '/auth/signInWithWallet', sessionless: true },
  listWallets: { method: 'GET', path: '/auth/wallets' },
  linkWallet: { method: 'POST', path: '/auth/wallets' },
  updateWallet: { method: 'PUT', path: '/auth/wallets/:objectId' },
  unlinkWallet: { method: 'DELETE', path: '/auth/wallets/:objectId' },
  restoreWallet: { method: 'POST', path: '/auth/wallets/:objectId/restore' },
  listSignInMethods: { method: 'GET', path: '/auth/signInMethods' },
  previewMerge: { method: 'POST', path: '/auth/merges' },
  merge: { method: 'POST', path: '/auth/merges/:objectId' },
  undoMerge: { method: 'DELETE', path: '/auth/merges/:objectId' },
  listActivity: { method: 'GET', path: '/auth/activity' },
  getAccountSecurity: { method: 'GET', path: '/auth/security' },
  updateAccountSecurity: { method: 'PUT', path: '/auth/security' },
  createRecoveryCodes: { method: 'POST', path: '/auth/recoveryCodes' },
  signInWithRecoveryCode: { method: 'POST', path: '/auth/signInWithRecoveryCode', sessionless: true },
  requestEmailCode: { method: 'POST', path: '/auth/emailCode' },
  signInWithEmailCode: { method: 'POST', path: '/auth/signInWithEmailCode', sessionless: true },
  signInWithEmailLink: { method: 'POST', path: '/auth/signInWithEmailLink', sessionless: true },
  getSecondFactor: { method: 'GET', path: '/auth/secondFactor' },
  updateSecondFactor: { method: 'PUT', path: '/auth/secondFactor' },
  removeSecondFactor: { method: 'DELETE', path: '/auth/secondFactor' },
  forgetDevices: { method: 'DELETE', path: '/auth/secondFactor/devices' },
  startTotp: { method: 'POST', path: '/auth/totp' },
  confirmTotp: { method: 'POST', path: '/auth/totp/confirm' },
  signInWithSecondFactor: { method: 'POST', path: '/auth/signInWithSecondFactor', sessionless: true },
  exportAccount: { method: 'GET', path: '/auth/export' },
  createPasskeyRegistration: { method: 'POST', path: '/auth/passkeys/registration' },
  registerPasskey: { method: 'POST', path: '/auth/passkeys' },
  createPasskeyChallenge: { method: 'POST', path: '/auth/passkeys/challenge' },
  signInWithPasskey: { method: 'POST', path: '/auth/signInWithPasskey', sessionless: true },
  listPasskeys: { method: 'GET', path: '/auth/passkeys' },
  removePasskey: { method: 'DELETE', path: '/auth/passkeys/:objectId' },
  restorePasskey: { method: 'POST', path: '/auth/passkeys/:objectId/restore' },
  getSignInOptions: { method: 'GET', path: '/auth/methods' },
  listProviders: { method: 'GET', path: '/auth/providers' },
  createProviderChallenge: { method: 'POST', path: '/auth/providers/:provider/challenge' },
  signInWithProvider: { method: 'POST', path: '/auth/signInWithProvider', sessionless: true },
  linkProvider: { method: 'POST', path: '/auth/identities' },
  createFarcasterChallenge: { method: 'POST', path: '/auth/farcaster/challenge' },
  signInWithFarcaster: { method: 'POST', path: '/auth/signInWithFarcaster', sessionless: true },
  linkFarcaster: { method: 'POST', path: '/auth/farcaster' },
  unlinkIdentity: { method: 'DELETE', path: '/auth/identities/:provider' },
  restoreIdentity: { method: 'POST', path: '/auth/identities/:provider/restore' },
  reauthenticate: { method: 'POST', path: '/auth/reauthenticate' },
  findObjects: { method: 'GET', path: '/classes/:className' },
  createObject: { method: 'POST', path: '/classes/:className' },
  getObject: { method: 'GET', path: '/classes/:className/:objectId' },
  updateObject: { method: 'PUT', path: '/classes/:className/:objectId' },
  deleteObject: { method: 'DELETE', path: '/classes/:className/:objectId' },
  batch: { method: 'POST', path: '/batch' },
  runFunction: { method: 'POST', path: '/functions/:_function' },
  createInstallation: { method: 'POST', path: '/installations' },
  getPushKey: { method: 'GET', path: '/push/key' },
  uploadFile: { method: 'POST', path: '/files/:name' },
  listOutbox: { method: 'GET', path: '/outbox', sessionless: true },
  getHealth: { method: 'GET', path: '/health' },
} as const satisfies { [Name in EndpointName]?: EndpointPlace }

/** Endpoints that an application calls. */
export type AppEndpointName = keyof typeof endpoints | keyof typeof chainEndpoints
