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
import type { FindInput, WireWhere } from './queries.ts'
import type {
  AccountSecurity,
  ActivityRecord,
  BatchAnswer,
  BatchRequest,
  ChallengePurpose,
  ChallengeRecord,
  DeliveryRecord,
  GateRecord,
  MergePreview,
  ObjectRecord,
  OutboxMail,
  PasskeyRecord,
  RemoteFunctionRecord,
  RemoteHookRecord,
  SchemaRecord,
  SessionRecord,
  UserRecord,
  WalletRecord,
  WaysIn,
  WebhookRecord,
} from './records.ts'
import type { WireChanges, WireFields, WireValue } from './values.ts'

type Empty = Record<never, never>
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
    input: { username?: string; email?: string; password: string; restoreAccount?: boolean }
    output: UserRecord
  }
  logInByGet: {
    input: { username?: string; email?: string; password: string; restoreAccount?: boolean }
    output: UserRecord
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
   * gets its first one by a session that was confirmed of late.
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
  listWaysIn: { input: Empty; output: WaysIn }
  previewMerge: { input: { message: string; signature: string }; output: MergePreview }
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
  exportAccount: { input: Empty; output: WireFields }
  createPasskeyRegistration: { input: Empty; output: { options: WireFields } }
  registerPasskey: { input: { credential: WireFields; name?: string }; output: PasskeyRecord }
  createPasskeyChallenge: { input: { purpose?: 'signIn' | 'stepUp' }; output: { options: WireFields } }
  signInWithPasskey: { input: { credential: WireFields; restoreAccount?: boolean }; output: UserRecord }
  listPasskeys: { input: Empty; output: { results: PasskeyRecord[] } }
  removePasskey: { input: { objectId: string }; output: Empty }
  /** The session goes on under a new token; the old one ends. */
  stepUp: {
    input: { credential?: WireFields; message?: string; signature?: string; password?: string }
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
  listGates: { input: { role?: string }; output: { results: GateRecord[] } }
  createGate: {
    input: { role: string; chain: string | number; kind: string; token?: string; tokenId?: string; amount?: string }
    output: GateRecord
  }
  getGate: { input: { objectId: string }; output: GateRecord }
  deleteGate: { input: { objectId: string }; output: Empty }
  checkGate: { input: { objectId: string }; output: GateRecord }
  listOutbox: { input: Empty; output: { results: OutboxMail[] } }
  getHealth: { input: Empty; output: { status: 'ok' } }
  getServerInfo: { input: Empty; output: { features: WireFields; parseServerVersion: string } }
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
  signUp: { method: 'POST', path: '/users', sessionless: true },
  logIn: { method: 'POST', path: '/login', sessionless: true },
  logInByGet: { method: 'GET', path: '/login', sessionless: true, textQuery: true },
  logOut: { method: 'POST', path: '/logout' },
  verifyPassword: { method: 'POST', path: '/verifyPassword', sessionless: true },
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
  createSession: { method: 'POST', path: '/sessions' },
  getCurrentSession: { method: 'GET', path: '/sessions/me' },
  getSession: { method: 'GET', path: '/sessions/:objectId' },
  updateSession: { method: 'PUT', path: '/sessions/:objectId' },
  revokeSession: { method: 'DELETE', path: '/sessions/:objectId' },
  revokeOtherSessions: { method: 'POST', path: '/revokeOtherSessions' },
  upgradeToRevocableSession: { method: 'POST', path: '/upgradeToRevocableSession' },
  createChallenge: { method: 'POST', path: '/auth/challenge' },
  signInWithWallet: { method: 'POST', path: '/auth/signInWithWallet', sessionless: true },
  listWallets: { method: 'GET', path: '/auth/wallets' },
  linkWallet: { method: 'POST', path: '/auth/wallets' },
  updateWallet: { method: 'PUT', path: '/auth/wallets/:objectId' },
  unlinkWallet: { method: 'DELETE', path: '/auth/wallets/:objectId' },
  restoreWallet: { method: 'POST', path: '/auth/wallets/:objectId/restore' },
  listWaysIn: { method: 'GET', path: '/auth/waysIn' },
  previewMerge: { method: 'POST', path: '/auth/merges' },
  merge: { method: 'POST', path: '/auth/merges/:objectId' },
  undoMerge: { method: 'DELETE', path: '/auth/merges/:objectId' },
  listActivity: { method: 'GET', path: '/auth/activity' },
  getAccountSecurity: { method: 'GET', path: '/auth/security' },
  updateAccountSecurity: { method: 'PUT', path: '/auth/security' },
  createRecoveryCodes: { method: 'POST', path: '/auth/recoveryCodes' },
  signInWithRecoveryCode: { method: 'POST', path: '/auth/signInWithRecoveryCode', sessionless: true },
  exportAccount: { method: 'GET', path: '/auth/export' },
  createPasskeyRegistration: { method: 'POST', path: '/auth/passkeys/registration' },
  registerPasskey: { method: 'POST', path: '/auth/passkeys' },
  createPasskeyChallenge: { method: 'POST', path: '/auth/passkeys/challenge' },
  signInWithPasskey: { method: 'POST', path: '/auth/signInWithPasskey', sessionless: true },
  listPasskeys: { method: 'GET', path: '/auth/passkeys' },
  removePasskey: { method: 'DELETE', path: '/auth/passkeys/:objectId' },
  stepUp: { method: 'POST', path: '/auth/stepUp' },
  findObjects: { method: 'GET', path: '/classes/:className' },
  createObject: { method: 'POST', path: '/classes/:className' },
  getObject: { method: 'GET', path: '/classes/:className/:objectId' },
  updateObject: { method: 'PUT', path: '/classes/:className/:objectId' },
  deleteObject: { method: 'DELETE', path: '/classes/:className/:objectId' },
  findUsers: { method: 'GET', path: '/users' },
  batch: { method: 'POST', path: '/batch' },
  getConfig: { method: 'GET', path: '/config' },
  updateConfig: { method: 'PUT', path: '/config' },
  runFunction: { method: 'POST', path: '/functions/:_function' },
  uploadFile: { method: 'POST', path: '/files/:name' },
  listChains: { method: 'GET', path: '/chain' },
  getChain: { method: 'GET', path: '/chain/:chain', textQuery: true },
  getBlock: { method: 'GET', path: '/chain/:chain/blocks/:block', textQuery: true },
  getBlockByDate: { method: 'GET', path: '/chain/:chain/date/:date', textQuery: true },
  getTransaction: { method: 'GET', path: '/chain/:chain/transactions/:hash', textQuery: true },
  listInternalTransactions: { method: 'GET', path: '/chain/:chain/transactions/:hash/internal', textQuery: true },
  getAddress: { method: 'GET', path: '/chain/:chain/addresses/:address', textQuery: true },
  getNativeBalance: { method: 'GET', path: '/chain/:chain/addresses/:address/balance', textQuery: true },
  listNativeBalances: { method: 'GET', path: '/chain/:chain/balances', textQuery: true },
  listTokenBalances: { method: 'GET', path: '/chain/:chain/addresses/:address/tokens', textQuery: true },
  listNfts: { method: 'GET', path: '/chain/:chain/addresses/:address/nfts', textQuery: true },
  listTransfers: { method: 'GET', path: '/chain/:chain/addresses/:address/transfers', textQuery: true },
  listTransactions: { method: 'GET', path: '/chain/:chain/addresses/:address/transactions', textQuery: true },
  listCollections: { method: 'GET', path: '/chain/:chain/addresses/:address/collections', textQuery: true },
  getNameOf: { method: 'GET', path: '/chain/:chain/addresses/:address/name', textQuery: true },
  resolveName: { method: 'GET', path: '/chain/:chain/names/:name', textQuery: true },
  getNamePicture: { method: 'GET', path: '/chain/:chain/names/:name/picture', textQuery: true },
  listTokens: { method: 'GET', path: '/chain/:chain/tokens', textQuery: true },
  getToken: { method: 'GET', path: '/chain/:chain/tokens/:token', textQuery: true },
  getTokenPrice: { method: 'GET', path: '/chain/:chain/tokens/:token/price', textQuery: true },
  getAllowance: { method: 'GET', path: '/chain/:chain/tokens/:token/allowance', textQuery: true },
  listTokenTransfers: { method: 'GET', path: '/chain/:chain/tokens/:token/transfers', textQuery: true },
  getCollection: { method: 'GET', path: '/chain/:chain/nfts/:token', textQuery: true },
  listTokenIds: { method: 'GET', path: '/chain/:chain/nfts/:token/ids', textQuery: true },
  listNftOwners: { method: 'GET', path: '/chain/:chain/nfts/:token/owners', textQuery: true },
  listNftTransfers: { method: 'GET', path: '/chain/:chain/nfts/:token/transfers', textQuery: true },
  getNft: { method: 'GET', path: '/chain/:chain/nfts/:token/:id', textQuery: true },
  getNftPicture: { method: 'GET', path: '/chain/:chain/nfts/:token/:id/picture', textQuery: true },
  listNftOwnersOfId: { method: 'GET', path: '/chain/:chain/nfts/:token/:id/owners', textQuery: true },
  listNftTransfersOfId: { method: 'GET', path: '/chain/:chain/nfts/:token/:id/transfers', textQuery: true },
  listLogs: { method: 'GET', path: '/chain/:chain/logs', textQuery: true },
  getPair: { method: 'GET', path: '/chain/:chain/pairs', textQuery: true },
  callContract: { method: 'POST', path: '/chain/:chain/call', textQuery: true },
  listEvents: { method: 'POST', path: '/chain/:chain/events', textQuery: true },
  getValueHistory: { method: 'GET', path: '/chain/:chain/addresses/:address/value', textQuery: true },
  getPortfolio: { method: 'GET', path: '/portfolio/:address', textQuery: true },
  getSolanaPortfolio: { method: 'GET', path: '/solana/:network/addresses/:address/portfolio', textQuery: true },
  listOutbox: { method: 'GET', path: '/outbox', sessionless: true },
  getHealth: { method: 'GET', path: '/health' },
  getServerInfo: { method: 'GET', path: '/serverInfo' },
} as const satisfies { [Name in EndpointName]?: EndpointPlace }

/** Endpoints that no page calls, but operators and their tools: bundles leave this out. */
export const operatorEndpoints = {
  listSchemas: { method: 'GET', path: '/schemas' },
  getSchema: { method: 'GET', path: '/schemas/:className' },
  createSchema: { method: 'POST', path: '/schemas/:className' },
  updateSchema: { method: 'PUT', path: '/schemas/:className' },
  deleteSchema: { method: 'DELETE', path: '/schemas/:className' },
  purgeClass: { method: 'DELETE', path: '/purge/:className' },
  applySchema: { method: 'POST', path: '/applySchema' },
  aggregate: { method: 'GET', path: '/aggregate/:className' },
  deleteFile: { method: 'DELETE', path: '/files/:name' },
  logInAs: { method: 'POST', path: '/loginAs' },
  createNamedSchema: { method: 'POST', path: '/schemas' },
  getSolanaBalance: { method: 'GET', path: '/solana/:network/addresses/:address/balance', textQuery: true },
  listSolanaTokens: { method: 'GET', path: '/solana/:network/addresses/:address/tokens', textQuery: true },
  listSolanaNfts: { method: 'GET', path: '/solana/:network/addresses/:address/nfts', textQuery: true },
  getSolanaNft: { method: 'GET', path: '/solana/:network/nfts/:address', textQuery: true },
  getSolanaTokenPrice: { method: 'GET', path: '/solana/:network/tokens/:address/price', textQuery: true },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  createWebhook: { method: 'POST', path: '/webhooks' },
  getWebhook: { method: 'GET', path: '/webhooks/:objectId' },
  updateWebhook: { method: 'PUT', path: '/webhooks/:objectId' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/:objectId' },
  testWebhook: { method: 'POST', path: '/webhooks/:objectId/test' },
  listDeliveries: { method: 'GET', path: '/webhooks/:objectId/deliveries' },
  resendDelivery: { method: 'POST', path: '/webhooks/:objectId/deliveries/:deliveryId' },
  listRemoteFunctions: { method: 'GET', path: '/hooks/functions' },
  createRemoteFunction: { method: 'POST', path: '/hooks/functions' },
  getRemoteFunction: { method: 'GET', path: '/hooks/functions/:functionName' },
  updateRemoteFunction: { method: 'PUT', path: '/hooks/functions/:functionName' },
  deleteRemoteFunction: { method: 'DELETE', path: '/hooks/functions/:functionName' },
  listRemoteHooks: { method: 'GET', path: '/hooks/triggers' },
  createRemoteHook: { method: 'POST', path: '/hooks/triggers' },
  listRemoteHooksOfClass: { method: 'GET', path: '/hooks/triggers/:className' },
  getRemoteHook: { method: 'GET', path: '/hooks/triggers/:className/:triggerName' },
  updateRemoteHook: { method: 'PUT', path: '/hooks/triggers/:className/:triggerName' },
  deleteRemoteHook: { method: 'DELETE', path: '/hooks/triggers/:className/:triggerName' },
  startJob: { method: 'POST', path: '/jobs/:jobName' },
  startNamedJob: { method: 'POST', path: '/jobs' },
  listSchedules: { method: 'GET', path: '/cloud_code/jobs' },
  listJobs: { method: 'GET', path: '/cloud_code/jobs/data' },
  createSchedule: { method: 'POST', path: '/cloud_code/jobs' },
  updateSchedule: { method: 'PUT', path: '/cloud_code/jobs/:objectId' },
  deleteSchedule: { method: 'DELETE', path: '/cloud_code/jobs/:objectId' },
  listGates: { method: 'GET', path: '/gates', textQuery: true },
  createGate: { method: 'POST', path: '/gates' },
  getGate: { method: 'GET', path: '/gates/:objectId' },
  deleteGate: { method: 'DELETE', path: '/gates/:objectId' },
  checkGate: { method: 'POST', path: '/gates/:objectId/check' },
} as const satisfies { [Name in Exclude<EndpointName, AppEndpointName>]: EndpointPlace }

/** Endpoints that an application calls. */
export type AppEndpointName = keyof typeof endpoints
