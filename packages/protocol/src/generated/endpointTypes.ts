// Generated from packages/protocol/src/contract: npm run contract
import type { Acl, WireChanges, WireDate, WireFields, WirePointer, WireValue } from '../values.ts'

/** Result of an access check, and the rule that decided it. */
export type AccessRecord = {
  isAllowed: boolean
  /** True if the object exists. Absent if none was named. */
  isFound?: boolean
  roles: { name: string; path: string[] }[]
  steps: AccessStep[]
}

/** One rule that was looked at on the way to a decision. */
export type AccessStep = {
  rule:
    | 'masterKey'
    | 'internalClass'
    | 'classPermissions'
    | 'pointer'
    | 'accessList'
    | 'ownAccount'
    | 'ownSession'
    | 'hiddenFields'
  outcome: 'allows' | 'refuses' | 'limits'
  /** The entry that decided, such as `*`, `role:editors`, a user id or a field. */
  entry?: string
  /** Path from the role that lists the user to the role of the entry. */
  path?: string[]
  /** Content of the rule, as far as it is of use: entries of a list, names of fields. */
  holds?: string[]
}

/** Safeguards of the account, as shown to its owner. */
export type AccountSecurity = {
  recoveryCodes: { left: number; made: number; createdAt?: string; lastUsedAt?: string }
  /** Sends an email about a sign-in from a new device. */
  signInAlerts: boolean
}

/** Something that happened to an account. */
export type ActivityRecord = {
  id: string
  action: string
  details: WireFields
  ipAddress?: string
  userAgent?: string
  at: string
}

export type AddressRecord = {
  address: string
  balance: string
  nonce: number
  isContract: boolean
  name?: string
  avatar?: AvatarRecord
}

/** Devices that pushes are sent to, as a query with a name. */
export type AudienceRecord = {
  objectId: string
  name: string
  query: WireFields
  createdAt: string
  updatedAt: string
  lastUsed?: WireValue
  timesUsed?: number
}

/** Something that touched rights or accounts. */
export type AuditRecord = {
  id: string
  at: string
  /** `masterKey`, `user:<id>`, `server`, or `database` for a change that the database itself noted. */
  actor: string
  action: string
  subject: string
  details: WireFields
  address?: string
  /** Its place in the chain of hashes; a moment after it was written. */
  position?: number
  /** Covers it and all entries before it. */
  hash?: string
}

/** Integrity of the audit log. */
export type AuditVerdict = {
  isIntact: boolean
  entries: number
  /** Ends of the log outside the database, in files and backups, that it was compared with. */
  anchors: number
  /** Entries that are not in the chain yet. */
  pending: number
  /** The end of the chain, as an anchor to keep elsewhere. */
  head?: string
  faults: string[]
}

/** A picture by its address; or the NFT whose metadata, at `uri`, holds it. */
export type AvatarRecord = { url: string } | { token: string; tokenId: string; uri: string }

export type BackupList = {
  /** Set if the configuration has a target for backups */
  isSet: boolean
  /** Hours from one to the next */
  every?: number
  keep?: number
  isEncrypted: boolean
  results: BackupRecord[]
}

/** A backup made automatically; without `finished` and `error` it is under way, or was abandoned. */
export type BackupRecord = {
  name: string
  place: string
  started: string
  finished?: string
  bytes?: number
  sha256?: string
  error?: string
}

export type BatchAnswer = { success: WireFields } | { error: { code: number; error: string; reason?: string } }

export type BatchRequest = {
  method: 'POST' | 'PUT' | 'DELETE' | 'GET'
  /** With the mount, such as /server/classes/Game */
  path: string
  body?: WireFields
}

export type BlockRecord = {
  number: number
  hash: string
  timestamp: string
  parentHash: string
  miner: string
  gasLimit: string
  gasUsed: string
  baseFeePerGas?: string
  size: number
  extraData: string
  transactionCount: number
  transactions: {
    hash: string
    from: string
    to?: string
    value: string
    nonce: number
    gas: string
    gasPrice: string
    input: string
    /** Absent while it waits for a block. */
    index?: number
    status?: 'success' | 'failed'
    gasUsed?: string
    cumulativeGasUsed?: string
    contract?: string
  }[]
}

/** Amounts, ids and other numbers that a contract chooses are decimal text. Addresses and hashes are lower case. */
export type ChainAnswer<Result> = {
  chain: number
  block: ChainBlockRef
  source: ChainSource
  result: Result
  /** SYNCING while the index still reads older blocks, so that something may be lacking. */
  status?: 'SYNCED' | 'SYNCING'
}

/** A block, as named by every chain result. */
export type ChainBlockRef = { number: number; hash: string; timestamp: string }

export type ChainIndexRecord = {
  mode: 'users' | 'contracts' | 'all'
  status: 'SYNCED' | 'SYNCING'
  block: number
  /** Of the older blocks that are to be read, from 0 to 1. */
  progress: number
  secondsLeft?: number
}

export type ChainPage<Row> = {
  chain: number
  block: ChainBlockRef
  source: ChainSource
  result: Row[]
  /** SYNCING while the index still reads older blocks, so that something may be lacking. */
  status?: 'SYNCED' | 'SYNCING'
  page: number
  page_size: number
  /** At most 10,000 is counted. Absent where counting would mean to read everything. */
  total?: number
  /** Leads to the next page; absent on the last one. */
  cursor?: string
}

export type ChainRecord = {
  id: number
  name: string
  aliases: string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  explorer?: string
  head?: ChainBlockRef
  finalized?: number
  /** Why there is no head: a sentence. */
  error?: string
  /** The stable name of `error`. */
  reason?: string
  index?: ChainIndexRecord
}

/** `node`: asked just now; `cache`: asked before, and still so; `index`: from what this server keeps of the chain. */
export type ChainSource = 'node' | 'cache' | 'index'

/** A chain with its nodes; `index` where it is read block by block. */
export type ChainStatusRecord = {
  chain: number
  name: string
  head?: { number: number; at: string }
  headError?: string
  nodes: NodeRecord[]
  index?: {
    block: number
    blockTime: string
    finalized: number
    status: 'SYNCED' | 'SYNCING'
    progress: number
    blocksLeft: number
    blocksPerSecond: number
    secondsLeft?: number
    contracts: number
    addresses: number
    error?: string
    running: boolean
  }
}

/** Purpose of a signature. */
export type ChallengePurpose = 'signIn' | 'link' | 'merge' | 'reauthenticate'

/** Message for a wallet to sign. */
export type ChallengeRecord = {
  nonce: string
  expiresAt: string
  /** The exact text; absent where no address was given and the wallet writes the text of these parts. */
  message?: string
  fields: {
    namespace: 'eip155' | 'solana'
    domain: string
    address?: string
    statement?: string
    uri: string
    chainId: string
    nonce: string
    issuedAt: string
    expirationTime?: string
  }
}

export type ClassOperation = 'find' | 'get' | 'count' | 'create' | 'update' | 'delete' | 'addField'

/** Permissions of a class: `*`, `requiresAuthentication`, a user id or `role:<name>` for each operation. */
export type ClassPermissions = {
  find?: { [entity: string]: true | string[] }
  get?: { [entity: string]: true | string[] }
  count?: { [entity: string]: true | string[] }
  create?: { [entity: string]: true | string[] }
  update?: { [entity: string]: true | string[] }
  delete?: { [entity: string]: true | string[] }
  addField?: { [entity: string]: true | string[] }
  readUserFields?: string[]
  writeUserFields?: string[]
  protectedFields?: { [name: string]: string[] }
  /** The access list of new objects that come without one. `currentUser` is the user who creates the object. */
  ACL?: Acl
}

export type CollectionRecord = { token: string; kind?: 'erc721' | 'erc1155'; name?: string; symbol?: string }

/** The request, as the server sees it. */
export type ConnectionRecord = {
  address: string
  /** True if a trusted proxy named the caller. */
  isForwarded: boolean
  host: string
  forwardedFor?: string
  forwardedProto?: string
  forwardedHost?: string
  time: string
}

/** A part of the console. The role of an operator decides which of them it shows. */
export type ConsoleArea =
  | 'overview'
  | 'users'
  | 'data'
  | 'schema'
  | 'access'
  | 'roles'
  | 'functions'
  | 'tokenGates'
  | 'chain'
  | 'files'
  | 'config'
  | 'mail'
  | 'audit'
  | 'settings'
  | 'operators'
  | 'keys'
  | 'backups'
  | 'api'

export type ConsoleFileRecord = {
  name: string
  type: string
  size: number
  store: string
  url: string
  createdAt: string
  ipfs?: string
  /** The user who uploaded it, where a user did. */
  owner?: { objectId: string; username?: string }
}

/** A function of the application. */
export type ConsoleFunctionRecord = {
  name: string
  /** A JSON Schema; absent where the code declares nothing */
  input?: WireFields
  /** user, master, or role: with the name of a role */
  requires: string[]
  isRemote: boolean
}

export type ConsoleJobRecord = { name: string; schedules: ConsoleScheduleRecord[] }

/** The operator who asks, and what the console offers to them. */
export type ConsoleRecord = {
  role: OperatorRole
  areas: ConsoleArea[]
  appName: string
  version: string
  production: boolean
}

export type ConsoleRoleRecord = {
  objectId: string
  name: string
  users: number
  isMore: boolean
  /** Roles below it, whose members hold it too. */
  roles: number
  /** Token gates that fill it. */
  tokenGates: number
  createdAt: string
  /** Roles that its members hold because of it. */
  parents: { objectId: string; name: string }[]
  /** Entries of its access list. */
  readers: string[]
  writers: string[]
}

/** A role with the number of its own members; `isMore` where counting stopped. */
export type ConsoleRoleRow = {
  objectId: string
  name: string
  users: number
  isMore: boolean
  /** Roles below it, whose members hold it too. */
  roles: number
  /** Token gates that fill it. */
  tokenGates: number
}

/** When a job runs. */
export type ConsoleScheduleRecord = {
  /** Set for one that was created by a request; the others are in the code */
  objectId?: string
  cron?: string
  timeZone?: string
  startAfter?: string
  repeatMinutes?: number
  next?: string
  /** Why it cannot be followed */
  error?: string
}

/** One user, as operators see them. */
export type ConsoleUserRecord = {
  objectId: string
  username: string
  email?: string
  emailVerified?: boolean
  createdAt: string
  lastSeenAt?: string
  status: UserStatus
  isGuest: boolean
  operator?: OperatorRole
  wallets: number
  /** When the account is gone for good, where its owner has deleted it. */
  deletedAt?: string
  /** The fields of the user that the application may read. */
  fields: WireFields
  signInMethods: SignInMethods
  secondFactor: boolean
  sessions: SessionRecord[]
  roles: string[]
  activity: ActivityRecord[]
  /** How many objects of each class the user may write; `isMore` where counting stopped. */
  objects: { className: string; count: number; isMore: boolean }[]
}

export type ConsoleUserRow = {
  objectId: string
  username: string
  email?: string
  emailVerified?: boolean
  createdAt: string
  lastSeenAt?: string
  status: UserStatus
  isGuest: boolean
  operator?: OperatorRole
  wallets: number
}

/** Origin of a session. */
export type CreatedWith = { action: 'signup' | 'login' | 'create' | 'upgrade'; authProvider?: string }

export type DecodedRecord = {
  label: string
  signature: string
  params: { name: string; type: string; value: unknown }[]
}

/** An event that was sent to a webhook, with the result. */
export type DeliveryRecord = {
  objectId: string
  createdAt: string
  status: string
  attempts: number
  event: WireFields
  lastAttemptAt?: string
  nextAttemptAt?: string
  responseStatus?: number
  response?: string
  error?: string
}

/** A field of a class in the schema API. Pointers and relations name the class that they lead to. */
export type FieldRecord = { type: string; targetClass?: string; required?: boolean; defaultValue?: WireValue }

export type FigureRange = 'hour' | 'day' | 'week' | 'month'

/** Figures of one period. */
export type FigureRecord = {
  /** Its beginning. */
  at: string
  requests: number
  /** Responses with a status of 400 and above. */
  refused: number
  /** Of these, responses with 500 and above. */
  failed: number
  /** Milliseconds; absent where there was no request. */
  median?: number
  /** 95th percentile of the response time in milliseconds. */
  p95?: number
  signUps: number
  /** By sign-in method. */
  signIns: { [name: string]: number }
  /** The most that were open at once. */
  sockets: number
}

/** Identity of an account's owner at a provider of the operator. */
export type IdentityRecord = {
  provider: string
  /** Absent where the provider only confirms another sign-in method. */
  id?: string
  /** Name of the provider for people, where it speaks OpenID Connect or OAuth 2. */
  name?: string
  /** Name or address of the account there. */
  label?: string
  additional?: true
  /** Imported, and not used to sign in here yet. */
  imported?: true
  linkedAt?: string
  lastUsedAt?: string
}

export type InternalTransactionRecord = {
  type: string
  from: string
  to?: string
  value: string
  gas: string
  gasUsed: string
  input: string
  output: string
  error?: string
  depth: number
}

/** An invitation to sign up. Its link is returned once, when it is created. */
export type InvitationRecord = {
  objectId: string
  createdAt: string
  expiresAt: string
  email?: string
  role?: string
  note?: string
  usedAt?: string
  usedBy?: string
}

/** The keys of the application. Secret ones have no value here. */
export type KeyList = {
  /** Former keys still hold */
  isRotating: boolean
  results: {
    name: 'appId' | 'javascriptKey' | 'masterKey' | 'secret'
    source: 'made' | 'configuration'
    value?: string
    hasFormer: boolean
  }[]
}

/** A line of the server's log, as the dashboard of parse-server reads it, with what it is made of. */
export type LogLineRecord = {
  timestamp: string
  level: string
  /** The sentence with its details in JSON behind it. */
  message: string
  text: string
  details: WireFields
}

export type LogRecord = {
  address: string
  topics: string[]
  data: string
  logIndex: number
  transaction: string
  transactionIndex: number
  decoded?: DecodedRecord
  block: ChainBlockRef
}

/** Subject of a mail. `application`: one of the application's own code. */
export type MailKind =
  | 'verification'
  | 'passwordReset'
  | 'signInCode'
  | 'newDevice'
  | 'accountChanged'
  | 'emailChanged'
  | 'application'

/** A mail that was given to the SMTP server. Never its text. */
export type MailLogRecord = {
  objectId: string
  to: string
  kind: MailKind
  sentAt: string
  /** How long the mail server took. */
  milliseconds: number
  /** Why the mail server did not take it, in its words; absent where it did. */
  error?: string
}

/** Contents of a merge from the other account into this one. Nothing has moved yet. */
export type MergePreview = {
  objectId: string
  /** Until when it can be carried out. */
  expiresAt: string
  from: { objectId: string; username: string }
  into: { objectId: string; username: string }
  wallets: WalletRecord[]
  passkeys: PasskeyRecord[]
  /** Absent where there are none. */
  identities?: IdentityRecord[]
  /** Fields of the other account that this one lacks and will get. */
  fields: string[]
  /** Fields that both have: this account's stay. */
  kept: string[]
  sessionsEnded: number
}

export type NftHoldingRecord = {
  token: string
  tokenId: string
  kind: 'erc721' | 'erc1155'
  name?: string
  symbol?: string
  uri?: string
  /** Content of `uri`, if it was fetched already. */
  metadata?: unknown
  normalized?: {
    name: string | null
    description: string | null
    image: string | null
    external_link: string | null
    animation_url: string | null
    attributes: { trait_type: string | null; value: string | number | boolean | null }[]
  }
  owner: string
  amount: string
  sinceBlock: number
  mintedBlock?: number
}

export type NftRecord = {
  token: string
  tokenId: string
  kind: 'erc721' | 'erc1155'
  name?: string
  symbol?: string
  uri?: string
  /** Content of `uri`, if it was fetched already. */
  metadata?: unknown
  normalized?: {
    name: string | null
    description: string | null
    image: string | null
    external_link: string | null
    animation_url: string | null
    attributes: { trait_type: string | null; value: string | number | boolean | null }[]
  }
}

/** A node as operators see it: the host alone, since path and query may hold keys. */
export type NodeRecord = {
  /** Without path and query, which may hold keys */
  host: string
  status: 'ready' | 'resting' | 'unused'
  requests: number
  failures: number
  requestsPerSecond: number
  /** Milliseconds of the last response */
  latency?: number
  lastError?: string
}

/** An object of a class, as returned by the server. */
export type ObjectRecord = WireFields & { objectId: string; createdAt: string; updatedAt: string; ACL?: Acl }

export type OperatorRecord = {
  objectId: string
  username: string
  email?: string
  role: OperatorRole
  since: string
  secondFactor: boolean
}

/** Role of an operator in the console: full access; help users; read-only. */
export type OperatorRole = 'admin' | 'support' | 'viewer'

/** A mail that the server kept because no SMTP server is configured. */
export type OutboxMail = {
  id: string
  to: string
  subject: string
  text: string
  /** The link that the mail asks its reader to open. */
  link: string | null
  createdAt: string
}

export type OverviewRecord = {
  at: string
  range: FigureRange
  /** Seconds that one entry of `series` stands for. */
  step: number
  users: { total: number; newToday: number; activeToday: number; activeMonth: number }
  sessions: number
  sockets: number
  jobs: { waiting: number; failedToday: number; doneToday: number }
  database: { kind: 'embedded' | 'postgres'; size: number }
  server: { version: string; node: string; startedAt: string }
  chains: { chain: number; block: number; head: number; lag: number; status: string; error?: string }[]
  series: FigureRecord[]
}

export type PairRecord = {
  exchange: string
  pair: string
  token0: TokenRecord
  token1: TokenRecord
  reserve0?: string
  reserve1?: string
}

/** A passkey of the user. */
export type PasskeyRecord = {
  objectId: string
  name: string
  createdAt: string
  lastUsedAt?: string
  backedUp: boolean
}

/** A picture as it is, for pages that ask no other host. */
export type PictureRecord = { type: string; base64: string }

export type PortfolioChain = {
  chain: number
  name: string
  block?: ChainBlockRef
  /** Seconds since that block. */
  age?: number
  source?: ChainSource
  native?: { balance: string; symbol: string; decimals: number; usd?: string }
  tokens?: { token: string; name?: string; symbol?: string; decimals?: number; balance: string; usd?: string }[]
  /** Ids of collectibles that the address holds. Absent where the index does not follow the address. */
  nfts?: number
  /** True if every token is known: only the index has all tokens of an address. */
  complete?: boolean
  status?: 'SYNCED' | 'SYNCING'
  /** Why there is nothing of this chain: a sentence. */
  error?: string
  /** The stable name of `error`. */
  reason?: string
}

export type PortfolioRecord = { address: string; chains: PortfolioChain[] }

/** By the deepest pool on the chain that is known; what a swap of little would cost now. */
export type PriceRecord = {
  token: string
  name?: string
  symbol?: string
  decimals?: number
  native?: { value: string; decimals: number; symbol: string }
  usd?: string
  from?: { exchange: string; kind: 'v2' | 'v3'; pool: string; quote: string; depth: string }
}

/** A provider of OpenID Connect or OAuth 2 that people can sign in with in the browser. */
export type ProviderRecord = {
  name: string
  /** Text of its button. */
  label: string
  /** `oidc`, or the name of a well-known provider. */
  kind: string
}

/** Parameters that a provider added to the return URL. */
export type ProviderResponse = {
  state: string
  /** Absent if the provider returned an error */
  code?: string
  iss?: string
  error?: string
}

/** A function of the application that runs elsewhere. */
export type RemoteFunctionRecord = { functionName: string; url: string }

/** A hook of the application that runs elsewhere. */
export type RemoteHookRecord = { className: string; triggerName: string; url: string }

export type RoleMemberRecord = { objectId: string; username: string; email?: string; isGated: boolean }

/** A class in the schema API. */
export type SchemaRecord = {
  className: string
  fields: { [name: string]: FieldRecord }
  classLevelPermissions: ClassPermissions
  indexes?: { [name: string]: WireFields }
}

/** Second factor of an account. */
export type SecondFactorRecord = {
  /** A code of an authenticator app is asked for */
  totp: boolean
  /** A passkey is asked for, or taken in the place of the code */
  passkey: boolean
  /** The operator demands a second factor of this account */
  required: boolean
  /** Browsers in which it is not asked for */
  rememberedDevices: number
}

/** Security checks of a server, in the form of parse-server's. */
export type SecurityReport = {
  version: string
  state: 'success' | 'fail'
  groups: {
    name: string
    state: 'success' | 'fail'
    checks: { title: string; state: 'success' | 'fail'; warning?: string; solution?: string }[]
  }[]
}

/** A session as its owner sees it. The token comes with the session of the request, and with one just made. */
export type SessionRecord = {
  objectId: string
  createdAt: string
  updatedAt: string
  user: WirePointer
  createdWith: CreatedWith
  expiresAt: WireDate
  installationId?: string
  sessionToken?: string
  /** The session of this very request. */
  current?: boolean
  userAgent?: string
  ipAddress?: string
  lastUsedAt?: WireDate
  /** Message and signature that opened it, for its owner to verify. */
  proof?: { message: string; signature: string }
}

/** A setting as it holds, with the place that it comes from. */
export type SettingRecord = {
  name: string
  source: 'default' | 'file' | 'environment' | 'commandLine'
  /** Absent where it may hold a secret. */
  value?: string
  isSecret: boolean
  isSet: boolean
}

/** All sign-in methods of an account. The last one cannot be removed. */
export type SignInMethods = {
  password: boolean
  wallets: WalletRecord[]
  passkeys: PasskeyRecord[]
  /** Of providers that the operator has set up; absent where there is none. */
  identities?: IdentityRecord[]
  /** A code by email opens the account. */
  emailCode?: true
  /** The id of a guest of the older clients opens the account. */
  anonymous?: true
  /** Last use of each method that is not listed one by one; absent where none was used. */
  lastUses?: { method: 'password' | 'emailCode' | 'anonymous'; lastUsedAt: string }[]
}

/** Sign-in methods that a server offers, in its order, and who may sign up. */
export type SignInOptions = {
  methods: ('wallet' | 'passkey' | 'provider' | 'emailCode' | 'password')[]
  providers: ProviderRecord[]
  emailCode?: { signUp: boolean }
  password?: { minLength: number }
  signUp: { mode: 'open' | 'invitation' | 'closed'; emailDomains?: string[] }
}

/** Slow queries of one shape on the responding server. Without any value. */
export type SlowQueryRecord = {
  objectId: string
  className: string
  operation: 'find' | 'count'
  /** `author = ? and score > ?`; empty where nothing is asked of the objects. */
  shape: string
  /** `-createdAt, name`; empty where none was asked for. */
  order: string
  count: number
  /** Milliseconds. */
  average: number
  slowest: number
  lastSeen: string
  hasPlan: boolean
  /** As for updateSchema; absent where one that is there serves, or none would */
  index?: { name: string; fields: { [name: string]: 1 | -1 | 'text' } }
}

export type SolanaPortfolioRecord = {
  nativeBalance: { solana: string; lamports: string }
  tokens: SolanaTokenRecord[]
  nfts: { associatedTokenAddress: string; mint: string; name: string | null; symbol: string | null }[]
  slot: number
  source: 'node' | 'cache'
}

export type SolanaTokenRecord = {
  associatedTokenAddress: string
  mint: string
  name: string | null
  symbol: string | null
  amount: string
  amountRaw: string
  decimals: number
}

/** Documents that code of the application keeps from events of contracts. */
export type StateRecord = {
  name: string
  chain: number
  /** The classes of the events that it is worked out from */
  events: string[]
  /** The classes that it keeps */
  classes: string[]
  version: number
  status: 'SYNCED' | 'SYNCING'
  /** Events up to this block have been handled */
  block: number
  /** Events that are not handled: the server refuses their values */
  leftOut?: number
  /** Error thrown by its code; it is retried */
  error?: string
}

/** An event of contracts that becomes objects of a class. */
export type SyncRecord = {
  name: string
  chain: number
  class: string
  /** Origin: the configuration, or a request */
  origin: 'config' | 'stored'
  status: 'SYNCED' | 'SYNCING'
  /** Blocks that are still to be read for it */
  blocksLeft: number
  startBlock?: number
  /** Contracts that its factory made */
  children?: number
  /** Events that are not kept: an index of the class refuses their values */
  leftOut?: number
  error?: string
  /** As in the configuration: see docs/contract-events.md */
  definition: WireFields
}

export type TokenBalanceRecord = { token: string; name?: string; symbol?: string; decimals?: number; balance: string }

/** A wallet that passes a token gate, with what it held when it was last looked at. */
export type TokenGateHolderRecord = {
  address: string
  amount: string
  seenAt: string
  user: { objectId: string; username?: string }
}

/** A token that opens a role. Amounts and ids are decimal text. */
export type TokenGateRecord = {
  objectId: string
  role: string
  chain: number
  kind: string
  token?: string
  tokenId?: string
  amount: string
  createdAt: string
  checkedAt?: string
  block?: number
  error?: string
  members: number
}

export type TokenRecord = { token: string; name?: string; symbol?: string; decimals?: number }

export type TransactionRecord = {
  hash: string
  from: string
  to?: string
  value: string
  nonce: number
  gas: string
  gasPrice: string
  input: string
  /** Absent while it waits for a block. */
  index?: number
  status?: 'success' | 'failed'
  gasUsed?: string
  cumulativeGasUsed?: string
  contract?: string
  block?: ChainBlockRef
  call?: DecodedRecord
  logs?: {
    address: string
    topics: string[]
    data: string
    logIndex: number
    transaction: string
    transactionIndex: number
    decoded?: DecodedRecord
  }[]
}

export type TransferRecord = {
  kind: 'erc20' | 'erc721' | 'erc1155'
  token: string
  from: string
  to: string
  operator?: string
  tokenId?: string
  amount: string
  block: ChainBlockRef
  transaction: string
  transactionIndex: number
  logIndex: number
}

export type UserFilter = 'all' | 'disabled' | 'deleting' | 'unverified' | 'guests' | 'operators'

/** A user, as returned by the server. The application's own fields are included unchanged. */
export type UserRecord = WireFields & {
  objectId: string
  createdAt: string
  updatedAt: string
  username: string
  email?: string
  emailVerified?: boolean
  ACL?: Acl
  /** Only in responses to the user itself, and never if the session is in a cookie. */
  sessionToken?: string
}

export type UserStatus = 'active' | 'disabled' | 'deleting'

export type ValueHistoryRecord = {
  /** The oldest first; the last one is of the head. */
  points: ValueRecord[]
  /** True if every token is known: only the index has all tokens of an address. */
  complete: boolean
}

/** Value of an address, by the prices of that time. */
export type ValueRecord = {
  block: ChainBlockRef
  /** In dollars; of what had a price. */
  usd: string
  /** How many currencies and tokens it had that had no price. */
  unpriced: number
}

/** A wallet that was proven to be the user's. */
export type WalletRecord = {
  objectId: string
  /** The family of chains: `eip155` (EVM) or `solana`. */
  namespace: 'eip155' | 'solana'
  kind: 'eoa' | 'contract' | 'delegated' | 'solana'
  /** As people see it: with its checksum, for EVM. */
  address: string
  /** The chain that a contract account lives on. */
  chainId?: string
  label?: string
  primary: boolean
  /** A contract account that was not deployed when it was last proven: it opens no gate, and nothing can be added to it. */
  provisional?: true
  /** Came over from another server by an import, and was not proven here yet: it opens no gate. */
  imported?: true
  linkedAt: string
  lastUsedAt: string
}

/** An address that is notified of events. */
export type WebhookRecord = {
  objectId: string
  createdAt: string
  updatedAt: string
  url: string
  events: string[]
  /** Absent: every class of the application. */
  classes?: string[]
  description?: string
  enabled: boolean
}

/** Input and output of each endpoint. The key is the endpoint's one name on every level. */
export type EndpointTypes = {
  /** Make an account and open a session; with authData of a wallet or of a guest, sign in or make that account. */
  signUp: {
    input: WireFields & { username?: string; password?: string; email?: string | null | { __op: 'Delete' } }
    output: WireFields & { objectId: string; createdAt: string; sessionToken?: string }
  }
  /** Sign in with username (or email address) and password. */
  logIn: {
    input: {
      username?: string | null
      email?: string | null
      password: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
      authData?: WireFields
    }
    output: UserRecord
  }
  /** The same by GET, for the older clients. */
  logInByGet: {
    input: {
      username?: string | null
      email?: string | null
      password: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Get the challenge of a provider of the setting auth, such as a code that it sends. */
  challenge: {
    input: {
      username?: string | null
      email?: string | null
      password?: string | null
      /** User it is for, by a provider that knows the caller */
      authData?: WireFields
      /** Input for each provider, by its name */
      challengeData?: WireFields
    }
    output: { challengeData: WireFields }
  }
  /** Check a password without opening a session. */
  verifyPassword: { input: { username?: string | null; email?: string | null; password: string }; output: UserRecord }
  /** Open a session for any user. Master key. */
  logInAs: { input: { userId: string }; output: UserRecord }
  /** End the session. */
  logOut: { input: Record<never, never>; output: Record<never, never> }
  /** The user of the session. */
  getCurrentUser: { input: Record<never, never>; output: UserRecord }
  /** Change a user: the user itself, or the master key. */
  updateUser: {
    input: { objectId: string } & WireChanges
    output: WireFields & { updatedAt: string; sessionToken?: string }
  }
  /** Delete a user with all sessions. By its owner it can be restored for a while, by signing in. */
  deleteUser: { input: { objectId: string }; output: Record<never, never> }
  /** Set a new password by the current one, or a first one after a confirmation; ends every other session. */
  changePassword: { input: { newPassword: string; currentPassword?: string }; output: { sessionToken?: string } }
  /** Mail a link that sets a new password. The response does not reveal if the address is known. */
  requestPasswordReset: { input: { email: string }; output: Record<never, never> }
  /** Set a new password by the secret of a mailed link. */
  resetPassword: {
    input: {
      password: string
      token: string
      /** Required if the account has a second factor and its holder has not verified the address */
      secondFactorCode?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
      authData?: WireFields
      /** Makes a new account with the address where mail alone does not open the one that has it */
      newAccount?: boolean
    }
    output: Record<never, never>
  }
  /** Mail the confirmation link again. */
  requestEmailVerification: { input: { email: string }; output: Record<never, never> }
  /** Verify an email address with the secret of a mailed link. */
  verifyEmail: { input: { token: string }; output: Record<never, never> }
  /** Open a further session for the same user. */
  createSession: { input: WireFields; output: SessionRecord }
  /** Write fields of the application's own into a session. */
  updateSession: { input: { objectId: string } & WireChanges; output: WireFields & { updatedAt?: string } }
  /** End a session, at once and everywhere. */
  revokeSession: { input: { objectId: string }; output: Record<never, never> }
  /** The session of this request. */
  getCurrentSession: { input: Record<never, never>; output: SessionRecord }
  /** For older clients: every session is revocable. */
  upgradeToRevocableSession: { input: Record<never, never>; output: SessionRecord }
  /** End every session of the caller but this one. */
  revokeOtherSessions: { input: Record<never, never>; output: { revoked: number } }
  /** Every sign-in method of the caller's account. */
  listSignInMethods: { input: Record<never, never>; output: SignInMethods }
  /** Sign-in methods of this server, in their order, and who may sign up. */
  getSignInOptions: { input: Record<never, never>; output: SignInOptions }
  /** Invitations to sign up, the newest first. Master key. */
  listInvitations: { input: Record<never, never>; output: { results: InvitationRecord[] } }
  /** Make an invitation to sign up; its link is returned once. Master key. */
  createInvitation: {
    input: {
      /** The one address that it is for */
      email?: string | null
      /** The role that the new user gets */
      role?: string | null
      note?: string | null
      days?: number | null
    }
    output: {
      objectId: string
      createdAt: string
      expiresAt: string
      email?: string
      role?: string
      note?: string
      usedAt?: string
      usedBy?: string
      token: string
      url: string
    }
  }
  /** Withdraw an invitation. Master key. */
  deleteInvitation: { input: { objectId: string }; output: Record<never, never> }
  /** The message that a wallet is to sign (EIP-4361), with a nonce for this browser alone. */
  createChallenge: {
    input: {
      purpose?: ChallengePurpose | null
      namespace?: 'eip155' | 'solana'
      address?: string | null
      /** A number of EVM, decimal or hexadecimal; a network of Solana */
      chainId?: number | string | null
    }
    output: ChallengeRecord
  }
  /** Open a session by a signed challenge; the account is made on first use. */
  signInWithWallet: {
    input: {
      /** The text that was signed, as it was given */
      message: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
      /** Makes a new account with the address where mail alone does not open the one that has it */
      newAccount?: boolean
    }
    output: UserRecord
  }
  /** The caller's wallets. */
  listWallets: { input: Record<never, never>; output: { results: WalletRecord[] } }
  /** Add a wallet to the caller's account by a challenge signed for the purpose link. */
  linkWallet: {
    input: {
      /** The text that was signed, as it was given */
      message: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature: string
    }
    output: WalletRecord
  }
  /** Label a wallet, or make it the primary one of its namespace. */
  updateWallet: { input: { objectId: string } & { label?: string | null; primary?: true }; output: WalletRecord }
  /** Remove a wallet, unless it is the last sign-in method. Needs a session that was confirmed recently. */
  unlinkWallet: { input: { objectId: string }; output: { undoUntil: string } }
  /** Restore a wallet that was removed in the last ten minutes. Needs a session that was confirmed recently. */
  restoreWallet: { input: { objectId: string }; output: WalletRecord }
  /** Confirm the session by a fresh proof. It goes on under a new token. */
  reauthenticate: {
    input: {
      /** The text that was signed, as it was given */
      message?: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature?: string
      password?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
      provider?: ProviderResponse
      /** A proof for a provider of the setting auth, as the older clients send it */
      authData?: WireFields
      /** Besides any proof but a passkey, where the account has a second factor */
      secondFactorCode?: string
      /** A code that was mailed to confirm the session */
      emailCode?: {
        /** Handle from requestEmailCode */
        handle: string
        code: string
      }
    }
    output: { confirmedUntil: string; sessionToken?: string }
  }
  /** Prove another account and see what a merge into the caller's would move. */
  previewMerge: {
    input: {
      /** The text that was signed, as it was given */
      message?: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature?: string
      /** In place of a signature: of a session that a sign-in to the other account has just opened */
      sessionToken?: string
    }
    output: MergePreview
  }
  /** Carry out a merge that was previewed, within five minutes of both proofs. */
  merge: { input: { objectId: string }; output: { undoUntil: string } }
  /** Undo a merge within the time given in its response, 7 days by default. Needs a session that was confirmed recently. */
  undoMerge: { input: { objectId: string }; output: Record<never, never> }
  /** Events of the caller's account, newest first. */
  listActivity: {
    input: { before?: string; limit?: number; actions?: string[]; userAgents?: string[] }
    output: { results: ActivityRecord[] }
  }
  /** Options for a browser to create a passkey for the caller, for this browser alone. */
  createPasskeyRegistration: { input: Record<never, never>; output: { options: WireFields } }
  /** Add a passkey to the caller's account. */
  registerPasskey: {
    input: {
      /** Result of PublicKeyCredential.toJSON() */
      credential: WireFields
      name?: string | null
    }
    output: PasskeyRecord
  }
  /** Options for a browser to ask for a passkey, for this browser alone. */
  createPasskeyChallenge: { input: { purpose?: 'signIn' | 'reauthenticate' | null }; output: { options: WireFields } }
  /** Sign in with a passkey, without a username. */
  signInWithPasskey: {
    input: {
      /** Result of PublicKeyCredential.toJSON() */
      credential: WireFields
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** The caller's passkeys. */
  listPasskeys: { input: Record<never, never>; output: { results: PasskeyRecord[] } }
  /** Rename one of the caller's passkeys. */
  updatePasskey: { input: { objectId: string } & { name: string }; output: PasskeyRecord }
  /** Remove one of the caller's passkeys, unless it is the last sign-in method. Needs a session that was confirmed recently. */
  removePasskey: { input: { objectId: string }; output: { undoUntil: string } }
  /** Restore a passkey that was removed in the last ten minutes. Needs a session that was confirmed recently. */
  restorePasskey: { input: { objectId: string }; output: PasskeyRecord }
  /** The providers of OpenID Connect and OAuth 2 that people can sign in with. */
  listProviders: { input: Record<never, never>; output: { results: ProviderRecord[] } }
  /** URL to sign in with a provider, for this browser alone. */
  createProviderChallenge: {
    input: { provider: string } & {
      purpose?: 'signIn' | 'link' | 'reauthenticate' | null
      /** Display of the provider; redirect by default */
      display?: 'popup' | 'redirect' | null
      /** The path of the page that the browser comes back to */
      returnTo?: string | null
    }
    output: { url: string; state: string; expiresAt: string }
  }
  /** Open a session by what a provider sent back; the account is made on first use. */
  signInWithProvider: {
    input: {
      state: string
      /** Absent if the provider returned an error */
      code?: string
      iss?: string
      error?: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Add a provider to the caller's account by what it sent back for the purpose link. */
  linkProvider: { input: ProviderResponse; output: IdentityRecord }
  /** Required content of a Sign In With Farcaster message, for this browser alone. */
  createFarcasterChallenge: {
    input: { purpose?: 'signIn' | 'link' | 'reauthenticate' | null }
    output: {
      nonce: string
      domain: string
      siweUri: string
      expirationTime: string
      /** The service that takes a page to the person's Farcaster app */
      relay?: string
    }
  }
  /** Open a session by a message that the custody address of a Farcaster id signed. */
  signInWithFarcaster: {
    input: {
      /** The text that was signed, as it was given */
      message: string
      /** Hexadecimal */
      signature: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Add a Farcaster id to the caller's account. Needs a session that was confirmed recently. */
  linkFarcaster: {
    input: {
      /** The text that was signed, as it was given */
      message: string
      /** Hexadecimal */
      signature: string
    }
    output: IdentityRecord
  }
  /** Remove a provider, unless it is the last sign-in method. Needs a session that was confirmed recently. */
  unlinkIdentity: { input: { provider: string }; output: { undoUntil: string } }
  /** Restore a provider that was removed in the last ten minutes. Needs a session that was confirmed recently. */
  restoreIdentity: { input: { provider: string }; output: IdentityRecord }
  /** How many recovery codes are left, and whether sign-ins from new devices are notified by mail. */
  getAccountSecurity: { input: Record<never, never>; output: AccountSecurity }
  /** Turn alerts on or off; off needs a session that was confirmed recently. */
  updateAccountSecurity: { input: { signInAlerts: boolean }; output: AccountSecurity }
  /** Ten new recovery codes, shown once; the former end. Needs a session that was confirmed recently. */
  createRecoveryCodes: { input: Record<never, never>; output: { codes: string[] } }
  /** Sign in with username (or email address) and a recovery code, which works once. */
  signInWithRecoveryCode: {
    input: {
      username: string
      code: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Export everything stored about the caller as one JSON file. Needs a session that was confirmed recently. */
  exportAccount: { input: Record<never, never>; output: WireFields }
  /** Restore an email address that was changed or removed, with the secret of the link that was mailed to it. Ends every session; the response has the secret for a new password. */
  undoEmailChange: { input: { token: string }; output: { resetToken: string } }
  /** Undo what somebody added to an account, with the secret of the link that was mailed to its owner and a password, wallet or passkey that the account had before. Ends every session. */
  recoverAccount: {
    input: {
      /** The text that was signed, as it was given */
      message?: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature?: string
      token: string
      /** The one that the account had before. Needs newPassword. */
      password?: string
      newPassword?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
    }
    output: Record<never, never>
  }
  /** Restore an account that was merged into another one, with the secret of the link that was mailed to its owner. Ends every session of both; the response has the secret for a new password. */
  undoMergeByLink: { input: { token: string }; output: { resetToken: string } }
  /** Mail a code that signs in, for this browser alone. The response is the same whether or not the address has an account. To confirm a session, the code goes to the address of its account. */
  requestEmailCode: {
    input: { email?: string; purpose?: 'signIn' | 'reauthenticate' | null }
    output: { handle: string; expiresAt: string }
  }
  /** Sign in with a mailed code, in the browser that asked for it. It works once. */
  signInWithEmailCode: {
    input: {
      /** Handle from requestEmailCode */
      handle: string
      code: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
      /** Makes a new account with the address where mail alone does not open the one that has it */
      newAccount?: boolean
    }
    output: UserRecord
  }
  /** Sign in with the secret of a mailed link, in the browser that asked for it. It works once. */
  signInWithEmailLink: {
    input: {
      token: string
      /** Restores an account that is to be deleted */
      restoreAccount?: boolean
      /** Makes a new account with the address where mail alone does not open the one that has it */
      newAccount?: boolean
    }
    output: UserRecord
  }
  /** Second factor of the caller's account. */
  getSecondFactor: { input: Record<never, never>; output: SecondFactorRecord }
  /** Ask for one of the account's passkeys after every other sign-in method, or no longer. Needs a session that was confirmed recently. */
  updateSecondFactor: { input: { passkey: boolean }; output: SecondFactorRecord }
  /** Ask for no second factor any more. Needs a session that was confirmed recently. */
  removeSecondFactor: { input: Record<never, never>; output: SecondFactorRecord }
  /** Ask for the second factor again in every browser. */
  forgetDevices: { input: Record<never, never>; output: Record<never, never> }
  /** A new secret for an authenticator app. Nothing is asked for until the app has shown a code. Needs a session that was confirmed recently, or the ticket of secondFactorSetUpRequired. */
  startTotp: {
    input: {
      /** From the params of the refusal secondFactorRequired */
      ticket?: string
    }
    output: { secret: string; uri: string }
  }
  /** Turn the authenticator app on by a code that it shows. Needs a session that was confirmed recently. */
  confirmTotp: { input: { code: string }; output: SecondFactorRecord }
  /** The second step of a sign-in: the ticket of its refusal, and a code of the authenticator app, a recovery code or a passkey. */
  signInWithSecondFactor: {
    input: {
      /** From the params of the refusal secondFactorRequired */
      ticket: string
      code?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
      /** Not to be asked again in this browser; for cookie sessions */
      rememberDevice?: boolean
    }
    output: UserRecord
  }
  /** Find objects of a class. */
  findObjects: {
    input: { className: string } & WireFields & {
        /** Conditions by field */
        where?: WireValue
        /** Fields, joined by commas; a leading - turns the direction */
        order?: string | string[] | null
        limit?: number | string | null
        skip?: number | string | null
        count?: boolean | number | string | null
        /** Names, joined by commas */
        keys?: string | string[] | null
        /** Names, joined by commas */
        excludeKeys?: string | string[] | null
        /** Names, joined by commas */
        include?: string | string[] | null
        includeAll?: boolean | number | string | null
        redirectClassNameForKey?: string | null
        hint?: WireValue
        explain?: boolean | number | string | null
        /** true for the first page; then the cursor of the page before */
        cursor?: boolean | string | null
      }
    output: { results: ObjectRecord[]; count?: number; cursor?: string; className?: string }
  }
  /** Make an object. Its class and fields are made on first use where that is allowed. */
  createObject: {
    input: { className: string } & WireFields
    output: WireFields & { objectId: string; createdAt: string }
  }
  /** Read an object. */
  getObject: {
    input: { className: string; objectId: string } & WireFields & {
        /** Names, joined by commas */
        keys?: string | string[] | null
        /** Names, joined by commas */
        excludeKeys?: string | string[] | null
        /** Names, joined by commas */
        include?: string | string[] | null
      }
    output: ObjectRecord
  }
  /** Change an object. The response has the results of operations. */
  updateObject: {
    input: { className: string; objectId: string } & WireChanges
    output: WireFields & { updatedAt: string }
  }
  /** Delete an object. */
  deleteObject: { input: { className: string; objectId: string }; output: Record<never, never> }
  /** Find users. */
  findUsers: {
    input: WireFields & {
      /** Conditions by field */
      where?: WireValue
      /** Fields, joined by commas; a leading - turns the direction */
      order?: string | string[] | null
      limit?: number | string | null
      skip?: number | string | null
      count?: boolean | number | string | null
      /** Names, joined by commas */
      keys?: string | string[] | null
      /** Names, joined by commas */
      excludeKeys?: string | string[] | null
      /** Names, joined by commas */
      include?: string | string[] | null
      includeAll?: boolean | number | string | null
      redirectClassNameForKey?: string | null
      hint?: WireValue
      explain?: boolean | number | string | null
      /** true for the first page; then the cursor of the page before */
      cursor?: boolean | string | null
    }
    output: { results: UserRecord[]; count?: number; cursor?: string; className?: string }
  }
  /** Read a user. */
  getUser: {
    input: { objectId: string } & WireFields & {
        /** Names, joined by commas */
        keys?: string | string[] | null
        /** Names, joined by commas */
        excludeKeys?: string | string[] | null
        /** Names, joined by commas */
        include?: string | string[] | null
      }
    output: UserRecord
  }
  /** The caller's sessions. */
  listSessions: {
    input: WireFields & {
      /** Conditions by field */
      where?: WireValue
      /** Fields, joined by commas; a leading - turns the direction */
      order?: string | string[] | null
      limit?: number | string | null
      skip?: number | string | null
      count?: boolean | number | string | null
      /** Names, joined by commas */
      keys?: string | string[] | null
      /** Names, joined by commas */
      excludeKeys?: string | string[] | null
      /** Names, joined by commas */
      include?: string | string[] | null
      includeAll?: boolean | number | string | null
      redirectClassNameForKey?: string | null
      hint?: WireValue
      explain?: boolean | number | string | null
      /** true for the first page; then the cursor of the page before */
      cursor?: boolean | string | null
    }
    output: { results: SessionRecord[]; count?: number; cursor?: string; className?: string }
  }
  /** One of the caller's sessions. */
  getSession: {
    input: { objectId: string } & WireFields & {
        /** Names, joined by commas */
        keys?: string | string[] | null
        /** Names, joined by commas */
        excludeKeys?: string | string[] | null
        /** Names, joined by commas */
        include?: string | string[] | null
      }
    output: SessionRecord
  }
  /** Several requests in one; with transaction all of them or none. */
  batch: { input: { requests: BatchRequest[]; transaction?: boolean | null }; output: BatchAnswer[] }
  /** Run a function of the application. */
  runFunction: { input: { _function: string } & WireFields; output: { result?: WireValue } }
  /** Register a device. A device that is known already is changed. */
  createInstallation: {
    input: WireFields & { installationId?: string | null; deviceToken?: string | null; deviceType?: string | null }
    output:
      | (WireFields & { objectId: string; createdAt: string })
      | (WireFields & { updatedAt: string; objectId: string })
  }
  /** Change a device. Fields that identify it stay unchanged. */
  updateInstallation: {
    input: { objectId: string } & WireFields & {
        installationId?: string | null
        deviceToken?: string | null
        deviceType?: string | null
      }
    output: WireFields & { updatedAt: string }
  }
  /** Delete a device. Master key. */
  deleteInstallation: { input: { objectId: string }; output: Record<never, never> }
  /** Keep a file: as the body itself, in a form (multipart/form-data), or as base64 in JSON. */
  uploadFile: {
    input: { name: string } & {
      /** The content, where it is sent as JSON */
      base64?: string
      /** metadata: any values by name; tags: texts by name; ipfs: true or false */
      fileData?: { metadata?: WireFields; tags?: WireFields; ipfs?: boolean }
    }
    output: { name: string; url: string; ipfs?: string; hash?: string }
  }
  /** Delete a file. Master key. */
  deleteFile: { input: { name: string }; output: Record<never, never> }
  /** Every class with its fields, permissions and indexes. Master key. */
  listSchemas: { input: Record<never, never>; output: { results: SchemaRecord[] } }
  /** A class with its fields, permissions and indexes. Master key. */
  getSchema: { input: { className: string }; output: SchemaRecord }
  /** Make a class. Master key. */
  createSchema: {
    input: { className: string } & {
      className?: string | null
      fields?: WireFields | null
      classLevelPermissions?: WireValue
      indexes?: WireFields | null
    }
    output: SchemaRecord
  }
  /** Make a class that the body names. Master key. */
  createNamedSchema: {
    input: {
      className?: string | null
      fields?: WireFields | null
      classLevelPermissions?: WireValue
      indexes?: WireFields | null
    }
    output: SchemaRecord
  }
  /** Add and delete fields and indexes of a class, set its permissions. Master key. */
  updateSchema: {
    input: { className: string } & {
      className?: string | null
      fields?: WireFields | null
      classLevelPermissions?: WireValue
      indexes?: WireFields | null
      basedOn?: { classLevelPermissions?: WireValue }
    }
    output: SchemaRecord
  }
  /** Drop a class that holds no object. Master key. */
  deleteSchema: { input: { className: string }; output: Record<never, never> }
  /** Delete every object of a class. Master key. */
  purgeClass: { input: { className: string }; output: Record<never, never> }
  /** Bring the classes to what a schema file says, all of it or nothing. Master key. */
  applySchema: {
    input: { classes: WireFields; dryRun?: boolean; allowDrops?: boolean }
    output: { plan: { text: string; drops: boolean }[]; applied: boolean }
  }
  /** Carry out a pipeline over the objects of a class, or list the distinct values of a field. Master key. */
  aggregate: {
    input: { className: string } & WireFields & {
        pipeline?: WireValue
        distinct?: string
        where?: WireFields
        hint?: WireValue
        explain?: WireValue
      }
    output: { results: WireValue[] }
  }
  /** Send a push notification to the devices that a query finds. Master key. */
  sendPush: {
    input: {
      where?: WireFields
      channels?: string[]
      audience_id?: string
      data?: WireFields
      expiration_time?: string | number
      expiration_interval?: number
      push_time?: string | number
    }
    output: { result: true }
  }
  /** The public key that browsers subscribe to Web Push by. */
  getPushKey: { input: Record<never, never>; output: { publicKey: string } }
  /** Token gates; of one role with `role`. Master key. */
  listTokenGates: { input: { role?: string }; output: { results: TokenGateRecord[] } }
  /** Give a role to everyone who holds a token in a linked wallet, for as long as they do. Master key. */
  createTokenGate: {
    input: {
      /** The name of the role */
      role: string
      /** Name or id */
      chain: string | number
      kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
      /** The contract; not for the native currency */
      token?: string | null
      /** Of an ERC-1155; of an ERC-721 where one certain NFT is meant */
      tokenId?: number | string | null
      /** At least so much, in the smallest unit; 1 unless given */
      amount?: number | string | null
    }
    output: TokenGateRecord
  }
  /** One of them: when it was last checked, and how many hold the role by it. Master key. */
  getTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  /** Delete one of them. Users who held the role only by it lose the role. Master key. */
  deleteTokenGate: { input: { objectId: string }; output: Record<never, never> }
  /** Look at every wallet for it now. Master key. */
  checkTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  /** The application's own settings. Some are for the master key alone. */
  getConfig: {
    input: Record<never, never>
    output: { params: WireFields; masterKeyOnly?: { [name: string]: boolean } }
  }
  /** Change the application's own settings. Master key. */
  updateConfig: {
    input: { params?: WireChanges; masterKeyOnly?: { [name: string]: boolean | { __op: 'Delete' } } }
    output: { result: true }
  }
  /** Features of this server. Master key. */
  getServerInfo: {
    input: Record<never, never>
    output: { features: { [name: string]: { [name: string]: boolean } }; parseServerVersion: string; version: string }
  }
  /** Check that the server responds. */
  getHealth: { input: Record<never, never>; output: { status: 'ok' } }
  /** The last lines that this server logged, newest first unless `order` is asc. Master key. */
  listLogLines: {
    input: {
      /** So grave or graver; info unless given */
      level?: 'debug' | 'verbose' | 'info' | 'warn' | 'error'
      /** At most so many; 100 unless given */
      n?: number
      /** The same */
      size?: number
      from?: string | number
      /** The same as from */
      startDate?: string | number
      until?: string | number
      order?: 'asc' | 'desc'
    }
    output: LogLineRecord[]
  }
  /** Releases of cloud code that were uploaded to the server: none, it reads its code from files. Master key. */
  listReleases: { input: Record<never, never>; output: WireFields[] }
  /** Check the security of the server's setup. Master key. */
  checkSecurity: { input: Record<never, never>; output: { report: SecurityReport } }
  /** Queries for devices that were kept under a name, newest first. Master key. */
  listAudiences: { input: { limit?: number; skip?: number }; output: { results: AudienceRecord[]; showMore: boolean } }
  /** Keep a query for devices under a name; `audience_id` of a push names it. Master key. */
  createAudience: {
    input: { name: string; query: WireFields | string }
    output: { objectId: string; createdAt: string; new_audience: { objectId: string } }
  }
  /** One of them. Master key. */
  getAudience: { input: { objectId: string }; output: AudienceRecord }
  /** Change one of them. Master key. */
  updateAudience: {
    input: { objectId: string } & { name?: string; query?: WireFields | string }
    output: { updatedAt: string }
  }
  /** Delete one of them. Master key. */
  deleteAudience: { input: { objectId: string }; output: Record<never, never> }
  /** This request as the server sees it: address, host, and headers of proxies. Master key. */
  getConnection: { input: Record<never, never>; output: ConnectionRecord }
  /** Changes of rights and accounts, newest first. Master key. */
  listAudit: {
    input: {
      /** The id of the last entry of the page before */
      before?: string
      limit?: string
      actor?: string
      action?: string
      subject?: string
    }
    output: { results: AuditRecord[] }
  }
  /** Check the audit log: no entry changed, removed, added or moved. Master key. */
  verifyAudit: { input: { anchor?: string }; output: AuditVerdict }
  /** Mails that were kept because no SMTP server is configured. Master key, or the web application in development. */
  listOutbox: { input: Record<never, never>; output: { results: OutboxMail[] } }
  /** The role of the operator who asks, and what the console offers to it. */
  getConsole: { input: Record<never, never>; output: ConsoleRecord }
  /** Become an operator by the secret of a one-time link. */
  claimConsole: { input: { token: string }; output: { role: OperatorRole } }
  /** End a session that an operator opened for a user; a browser goes back to the session of the operator. */
  endImpersonation: { input: Record<never, never>; output: { sessionToken?: string } }
  /** Activity of the server: users, requests, sign-ins, sockets, jobs, database and chains, over time. Operators. */
  getOverview: { input: { range?: FigureRange }; output: OverviewRecord }
  /** Check the access of a user, or a guest, to a class or an object, and name the deciding rule. Operators. */
  testAccess: {
    input: {
      /** The id or the name of a user; a guest unless given */
      user?: string
      className: string
      objectId?: string
      operation: ClassOperation
    }
    output: AccessRecord
  }
  /** Roles by name, page by page: those at the top of the tree, those below one, or those with a text in their name. Operators. */
  listConsoleRoles: {
    input: { search?: string; parent?: string; after?: string; limit?: string }
    output: { results: ConsoleRoleRow[]; next?: string }
  }
  /** One role: how many members it has, which roles hold it, and who may read and change it. Operators. */
  getConsoleRole: { input: { objectId: string }; output: ConsoleRoleRecord }
  /** The users that a role lists itself, page by page. Operators. */
  listRoleMembers: {
    input: { objectId: string } & { search?: string; after?: string; limit?: string }
    output: { results: RoleMemberRecord[]; next?: string }
  }
  /** Stored files by name or owner, newest first, page by page. Operators with the role admin or viewer. */
  listConsoleFiles: {
    input: { search?: string; after?: string; limit?: string }
    output: { results: ConsoleFileRecord[]; next?: string }
  }
  /** The wallets that pass a token gate, page by page. Operators with the role admin or viewer. */
  listTokenGateHolders: {
    input: { objectId: string } & { after?: string; limit?: string }
    output: { results: TokenGateHolderRecord[]; next?: string }
  }
  /** Results of mails that were sent by SMTP, newest first, page by page. Never their content. Operators with the role admin. */
  listMailLog: {
    input: {
      /** A part of the address */
      search?: string
      outcome?: 'all' | 'sent' | 'failed'
      after?: string
      limit?: string
    }
    output: {
      /** True if mails are sent by SMTP; otherwise they are in the outbox */
      isSending: boolean
      /** How long entries are kept */
      days: number
      results: MailLogRecord[]
      next?: string
    }
  }
  /** The settings as they hold, each with its source; what may be secret is left out. Operators. */
  getSettings: { input: Record<never, never>; output: { results: SettingRecord[] } }
  /** Operators of the console with their roles. Operators. */
  listOperators: { input: Record<never, never>; output: { results: OperatorRecord[] } }
  /** Make a user an operator, or give an operator another role. Operators with the role admin. */
  setOperator: { input: { objectId: string } & { role: OperatorRole }; output: OperatorRecord }
  /** Take the console from a user. Operators with the role admin. */
  removeOperator: { input: { objectId: string }; output: Record<never, never> }
  /** A link that makes the first person who opens it an operator, for 24 hours. Operators with the role admin. */
  createOperatorLink: { input: { role?: OperatorRole }; output: { url: string; role: OperatorRole; expiresAt: string } }
  /** Users by name, email address, id or wallet, newest first, page by page. Operators. */
  listConsoleUsers: {
    input: { search?: string; filter?: UserFilter; after?: string; limit?: string }
    output: { results: ConsoleUserRow[]; next?: string }
  }
  /** One user: profile, sign-in methods, sessions, roles, activity and objects. Operators. */
  getConsoleUser: { input: { objectId: string }; output: ConsoleUserRecord }
  /** Export everything stored about a user as one JSON text. Operators with the role admin. */
  exportConsoleUser: { input: { objectId: string }; output: WireFields }
  /** Lock an account and end its sessions. Operators with the role admin or support. */
  disableUser: { input: { objectId: string }; output: { status: UserStatus } }
  /** Open a locked account again, with the access list that it had. Operators with the role admin or support. */
  enableUser: { input: { objectId: string }; output: { status: UserStatus } }
  /** End every session of a user. Operators with the role admin or support. */
  signOutUser: { input: { objectId: string }; output: { revoked: number } }
  /** Mark the email address of a user as verified. Operators with the role admin or support. */
  verifyUserEmail: { input: { objectId: string }; output: Record<never, never> }
  /** Mail a link to a user that sets a new password. Operators with the role admin or support. */
  sendUserReset: { input: { objectId: string }; output: Record<never, never> }
  /** Open a session of a user for one hour at most, marked as the operator’s. Operators with the role admin. */
  impersonateUser: {
    input: { objectId: string }
    output: { user: { objectId: string; username: string }; expiresAt: string; sessionToken?: string }
  }
  /** Delete a user for good. Operators with the role admin. */
  deleteConsoleUser: { input: { objectId: string }; output: Record<never, never> }
  /** The functions of the application, with what they take and who may call them. Operators. */
  listConsoleFunctions: { input: Record<never, never>; output: { results: ConsoleFunctionRecord[] } }
  /** The jobs of the application, with their schedules and when each is due. Operators. */
  listConsoleJobs: { input: Record<never, never>; output: { results: ConsoleJobRecord[] } }
  /** Preview a change to a class, as steps and as a schema file. Nothing is changed. Operators. */
  previewSchema: {
    input: {
      className: string
      /** As for updateSchema */
      fields?: WireFields
      /** As for updateSchema */
      indexes?: WireFields
      /** The whole class */
      drop?: boolean
    }
    output: { plan: { text: string; drops: boolean }[]; file: string }
  }
  /** Shapes of queries that took long on this server, without values, with the index for each. Operators. */
  listSlowQueries: {
    input: Record<never, never>
    output: {
      since: string
      /** Milliseconds from which on a query is recorded */
      threshold: number
      results: SlowQueryRecord[]
    }
  }
  /** Plan of the database for queries of a shape that this server recorded. Operators. */
  getQueryPlan: { input: { objectId: string }; output: { plan: string } }
  /** The keys of the application by name and origin; secret ones without their values. Operators. */
  listKeys: { input: Record<never, never>; output: KeyList }
  /** Make new keys and encrypt everything again; the former still hold. Operators with the role admin. */
  rotateKeys: {
    input: { confirm: true }
    output: {
      /** Values that were encrypted again */
      resealed: number
      /** Values that no key opens */
      unreadable: number
      /** The new one, if one was created: in this response alone */
      masterKey?: string
    }
  }
  /** Make the former keys void. Operators with the role admin. */
  retireKeys: {
    input: { confirm: true }
    output: {
      /** Values that were encrypted again */
      resealed: number
      /** Values that no key opens */
      unreadable: number
      /** The new one, if one was created: in this response alone */
      masterKey?: string
    }
  }
  /** Automatic backups, newest first, and their settings. Operators. */
  listBackups: { input: Record<never, never>; output: BackupList }
  /** Begin a backup, where the configuration says that backups go. Operators with the role admin. */
  createBackup: { input: Record<never, never>; output: { name: string } }
  /** Chains with their nodes, how far each is read, and what is wrong. Operators. */
  getChainStatus: { input: Record<never, never>; output: { results: ChainStatusRecord[] } }
  /** Start a job. Its status is the object of _JobStatus that the header X-Parse-Job-Status-Id names. Master key. */
  startJob: { input: { jobName: string } & WireFields; output: Record<never, never> }
  /** The same, with the name among the parameters. Master key. */
  startNamedJob: { input: WireFields & { jobName: string }; output: Record<never, never> }
  /** The schedules that were made here. Master key. */
  listSchedules: { input: Record<never, never>; output: WireFields[] }
  /** The names of all jobs, and of those with a schedule. Master key. */
  listJobs: { input: Record<never, never>; output: { in_use: string[]; jobs: string[] } }
  /** Run a job by schedule. Master key. */
  createSchedule: {
    input: {
      jobName?: string
      description?: string
      /** The parameters of the job, or the JSON of them */
      params?: WireFields | string | null
      /** Five fields, or six with seconds in front */
      cron?: string
      /** Of cron; UTC unless given */
      timeZone?: string
      /** The first time, where there is no cron */
      startAfter?: string
      timeOfDay?: string
      daysOfWeek?: (string | number | boolean)[] | null
      /** Minutes from one time to the next, where there is no cron */
      repeatMinutes?: number | null
      job_schedule?: {
        jobName?: string
        description?: string
        /** The parameters of the job, or the JSON of them */
        params?: WireFields | string | null
        /** Five fields, or six with seconds in front */
        cron?: string
        /** Of cron; UTC unless given */
        timeZone?: string
        /** The first time, where there is no cron */
        startAfter?: string
        timeOfDay?: string
        daysOfWeek?: (string | number | boolean)[] | null
        /** Minutes from one time to the next, where there is no cron */
        repeatMinutes?: number | null
      }
    }
    output: WireFields
  }
  /** Change a schedule. Master key. */
  updateSchedule: {
    input: { objectId: string } & {
      jobName?: string
      description?: string
      /** The parameters of the job, or the JSON of them */
      params?: WireFields | string | null
      /** Five fields, or six with seconds in front */
      cron?: string
      /** Of cron; UTC unless given */
      timeZone?: string
      /** The first time, where there is no cron */
      startAfter?: string
      timeOfDay?: string
      daysOfWeek?: (string | number | boolean)[] | null
      /** Minutes from one time to the next, where there is no cron */
      repeatMinutes?: number | null
      job_schedule?: {
        jobName?: string
        description?: string
        /** The parameters of the job, or the JSON of them */
        params?: WireFields | string | null
        /** Five fields, or six with seconds in front */
        cron?: string
        /** Of cron; UTC unless given */
        timeZone?: string
        /** The first time, where there is no cron */
        startAfter?: string
        timeOfDay?: string
        daysOfWeek?: (string | number | boolean)[] | null
        /** Minutes from one time to the next, where there is no cron */
        repeatMinutes?: number | null
      }
    }
    output: WireFields
  }
  /** Delete a schedule. Master key. */
  deleteSchedule: { input: { objectId: string }; output: Record<never, never> }
  /** Webhooks. Master key. */
  listWebhooks: { input: Record<never, never>; output: { results: WebhookRecord[] } }
  /** Have events sent to an address. The response holds the secret that they are signed by. Master key. */
  createWebhook: {
    input: {
      /** Target of the events: an https:// address */
      url: string
      /** Such as object.created, object.updated, object.deleted, user.signUp */
      events: string[]
      /** Of objects; every class of the application unless given */
      classes?: string[] | null
      description?: string | null
      enabled?: boolean
    }
    output: {
      objectId: string
      createdAt: string
      updatedAt: string
      url: string
      events: string[]
      /** Absent: every class of the application. */
      classes?: string[]
      description?: string
      enabled: boolean
      secret: string
    }
  }
  /** One of them. Master key. */
  getWebhook: { input: { objectId: string }; output: WebhookRecord }
  /** Change one of them, or renew its secret. Master key. */
  updateWebhook: {
    input: { objectId: string } & {
      /** Target of the events: an https:// address */
      url?: string
      /** Such as object.created, object.updated, object.deleted, user.signUp */
      events?: string[]
      /** Of objects; every class of the application unless given */
      classes?: string[] | null
      description?: string | null
      enabled?: boolean
      renewSecret?: boolean
    }
    output: {
      objectId: string
      createdAt: string
      updatedAt: string
      url: string
      events: string[]
      /** Absent: every class of the application. */
      classes?: string[]
      description?: string
      enabled: boolean
      secret?: string
    }
  }
  /** Delete one of them, with its log. Master key. */
  deleteWebhook: { input: { objectId: string }; output: Record<never, never> }
  /** Send an event of the type "test". Master key. */
  testWebhook: { input: { objectId: string } & WireFields; output: { objectId: string } }
  /** Deliveries of a webhook with their results, newest first. Master key. */
  listDeliveries: {
    input: { objectId: string } & { before?: string; status?: string; limit?: number }
    output: { results: DeliveryRecord[] }
  }
  /** Send an event once more. Master key. */
  resendDelivery: { input: { objectId: string; deliveryId: string }; output: { objectId: string } }
  /** Events of contracts that become objects of classes, and how far each is read. Master key. */
  listSyncs: { input: Record<never, never>; output: { results: SyncRecord[] } }
  /** Have the logs of an event become objects of a class. The same name again takes its place. Master key. */
  createSync: {
    input: WireFields & {
      /** The chain: its name or id */
      chain: number | string
    }
    output: SyncRecord
  }
  /** Follow an event no longer. Its rows stay. Master key. */
  deleteSync: { input: { chain: string; name: string }; output: Record<never, never> }
  /** Remove the rows of an event and read all of them again. Master key. */
  replaySync: { input: { chain: string; name: string }; output: SyncRecord }
  /** Documents that code of the application keeps from events, and how far each is. Master key. */
  listStates: { input: Record<never, never>; output: { results: StateRecord[] } }
  /** Remove the documents of a state and work it out again from its first event. Master key. */
  replayState: { input: { name: string }; output: StateRecord }
  /** Functions that run elsewhere. Master key. */
  listRemoteFunctions: { input: Record<never, never>; output: RemoteFunctionRecord[] }
  /** Have a function run elsewhere. Master key. */
  createRemoteFunction: {
    input: { functionName: string; url: string }
    output: { functionName: string; url: string; warning?: string }
  }
  /** URL of a remote function. Master key. */
  getRemoteFunction: { input: { functionName: string }; output: RemoteFunctionRecord }
  /** Change where a function runs. Master key. */
  updateRemoteFunction: {
    input: { functionName: string } & { url?: string; __op?: WireValue }
    output: RemoteFunctionRecord | Record<never, never>
  }
  /** No longer have a function run elsewhere. Master key. */
  deleteRemoteFunction: { input: { functionName: string }; output: Record<never, never> }
  /** Hooks that run elsewhere. Master key. */
  listRemoteHooks: { input: Record<never, never>; output: RemoteHookRecord[] }
  /** Have a hook run elsewhere. Master key. */
  createRemoteHook: {
    input: {
      className: string
      triggerName:
        | 'beforeSave'
        | 'afterSave'
        | 'beforeDelete'
        | 'afterDelete'
        | 'beforeLogin'
        | 'afterLogin'
        | 'afterLogout'
      url: string
    }
    output: RemoteHookRecord
  }
  /** Hooks of a class. Master key. */
  listRemoteHooksOfClass: { input: { className: string }; output: RemoteHookRecord[] }
  /** URL of a remote hook. Master key. */
  getRemoteHook: {
    input: {
      className: string
      triggerName:
        | 'beforeSave'
        | 'afterSave'
        | 'beforeDelete'
        | 'afterDelete'
        | 'beforeLogin'
        | 'afterLogin'
        | 'afterLogout'
    }
    output: RemoteHookRecord
  }
  /** Change where a hook runs. Master key. */
  updateRemoteHook: {
    input: {
      className: string
      triggerName:
        | 'beforeSave'
        | 'afterSave'
        | 'beforeDelete'
        | 'afterDelete'
        | 'beforeLogin'
        | 'afterLogin'
        | 'afterLogout'
    } & { url?: string; __op?: WireValue }
    output: RemoteHookRecord | Record<never, never>
  }
  /** No longer have a hook run elsewhere. Master key. */
  deleteRemoteHook: {
    input: {
      className: string
      triggerName:
        | 'beforeSave'
        | 'afterSave'
        | 'beforeDelete'
        | 'afterDelete'
        | 'beforeLogin'
        | 'afterLogin'
        | 'afterLogout'
    }
    output: Record<never, never>
  }
  /** The chains that can be read here, with head and index. */
  listChains: { input: Record<never, never>; output: { results: ChainRecord[] } }
  /** A chain, with its head and how far its index has come. */
  getChain: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    }
    output: ChainRecord
  }
  /** A block with its transactions, by number, hash, `latest` or `finalized`. */
  getBlock: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      /** A number, a hash, `latest` or `finalized` */
      block: 'latest' | 'finalized' | string | number | string
    }
    output: ChainAnswer<BlockRecord>
  }
  /** The newest block that is not later than a date. */
  getBlockByDate: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      date: number | string
    }
    output: ChainAnswer<ChainBlockRef>
  }
  /** A transaction with its logs; call and events in words where they are known. */
  getTransaction: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      hash: string
    }
    output: ChainAnswer<TransactionRecord>
  }
  /** Internal calls of a transaction. Needs a node with traces. */
  listInternalTransactions: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      hash: string
    }
    output: ChainAnswer<InternalTransactionRecord[]>
  }
  /** Balance, nonce, name and avatar of an address, and whether it is a contract. */
  getAddress: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    }
    output: ChainAnswer<AddressRecord>
  }
  /** Native balance of an address, now or at a block. */
  getNativeBalance: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<{ balance: string; decimals: number; symbol: string }>
  }
  /** Native balances of several addresses, all at one block. */
  listNativeBalances: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** Several, with commas between; at most 100 */
      addresses?: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<{ address: string; balance: string }[]>
  }
  /** The ERC-20 tokens of an address: of given tokens, or of all that the index knows it to have touched. */
  listTokenBalances: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** Several, with commas between; at most 100 */
      tokens?: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<TokenBalanceRecord[]>
  }
  /** The collectibles that an address holds. */
  listNfts: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
      /** Several, with commas between; at most 100 */
      tokens?: string
    }
    output: ChainPage<NftHoldingRecord>
  }
  /** Transfers of tokens and collectibles from or to an address, the newest first. */
  listTransfers: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** By block */
      order?: 'asc' | 'desc'
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
      /** erc20, erc721, erc1155 */
      kind?: string
      direction?: 'both' | 'from' | 'to'
      token?: string
    }
    output: ChainPage<TransferRecord>
  }
  /** Transactions that an address sent, received or was made by, the newest first. */
  listTransactions: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<TransactionRecord>
  }
  /** The contracts of whose collectibles an address holds any. */
  listCollections: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<CollectionRecord>
  }
  /** The name of an address, which leads back to it, and its avatar. */
  getNameOf: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    }
    output: ChainAnswer<{ name: string; avatar?: AvatarRecord }>
  }
  /** The address that a name stands for. */
  resolveName: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      name: string | number
    }
    output: ChainAnswer<{ name: string; address: string }>
  }
  /** The picture that a name shows of itself, fetched by the server. */
  getNamePicture: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      name: string | number
    }
    output: ChainAnswer<PictureRecord>
  }
  /** Name, symbol and decimals of tokens: by address from the chain, by symbol from those met before. */
  listTokens: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** Several, with commas between; at most 100 */
      addresses?: string
      /** Several, with commas between; at most 100 */
      symbols?: string
    }
    output: ChainAnswer<TokenRecord[]>
  }
  /** Name, symbol and decimals of a token. */
  getToken: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    }
    output: ChainAnswer<TokenRecord>
  }
  /** The price of a token by the deepest pool on the chain; 101 where there is none. */
  getTokenPrice: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      exchange?: string | number
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<PriceRecord>
  }
  /** How much of an owner's token a spender may take. */
  getAllowance: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      owner: string
      spender: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<{ allowance: string }>
  }
  /** Transfers of an ERC-20 token, the newest first. */
  listTokenTransfers: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      /** By block */
      order?: 'asc' | 'desc'
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<TransferRecord>
  }
  /** Name, symbol and standard of an NFT contract. */
  getCollection: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    }
    output: ChainAnswer<CollectionRecord>
  }
  /** The ids of a contract that somebody holds. */
  listTokenIds: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<{
      token: string
      tokenId: string
      kind: 'erc721' | 'erc1155'
      name?: string
      symbol?: string
      uri?: string
      /** Content of `uri`, if it was fetched already. */
      metadata?: unknown
      normalized?: {
        name: string | null
        description: string | null
        image: string | null
        external_link: string | null
        animation_url: string | null
        attributes: { trait_type: string | null; value: string | number | boolean | null }[]
      }
      amount: string
    }>
  }
  /** Holders of a contract's NFTs. */
  listNftOwners: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<NftHoldingRecord>
  }
  /** Transfers of the collectibles of a contract, the newest first. */
  listNftTransfers: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      /** By block */
      order?: 'asc' | 'desc'
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<TransferRecord>
  }
  /** A collectible, straight from its contract: its owner where it has one owner, and where its metadata lies. */
  getNft: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** The id of a collectible, decimal or hex */
      id: number | string
    }
    output: ChainAnswer<{
      token: string
      tokenId: string
      kind: 'erc721' | 'erc1155'
      name?: string
      symbol?: string
      uri?: string
      /** Content of `uri`, if it was fetched already. */
      metadata?: unknown
      normalized?: {
        name: string | null
        description: string | null
        image: string | null
        external_link: string | null
        animation_url: string | null
        attributes: { trait_type: string | null; value: string | number | boolean | null }[]
      }
      owner?: string
    }>
  }
  /** The picture of a collectible whose metadata is known here, fetched by the server. */
  getNftPicture: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** The id of a collectible, decimal or hex */
      id: number | string
    }
    output: ChainAnswer<PictureRecord>
  }
  /** Holders of an NFT. */
  listNftOwnersOfId: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** The id of a collectible, decimal or hex */
      id: number | string
    } & {
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<NftHoldingRecord>
  }
  /** Transfers of one collectible, the newest first. */
  listNftTransfersOfId: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** The id of a collectible, decimal or hex */
      id: number | string
    } & {
      /** By block */
      order?: 'asc' | 'desc'
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
    }
    output: ChainPage<TransferRecord>
  }
  /** Logs by contract and topics, straight from the node. */
  listLogs: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** By block */
      order?: 'asc' | 'desc'
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
      address?: string
      /** Up to four topics with commas between; none between two commas stands for any */
      topics?: string
    }
    output: ChainPage<LogRecord>
  }
  /** Pool of two tokens at an exchange, with its reserves. */
  getPair: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      tokenA: string
      tokenB: string
      exchange: string | number
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<PairRecord>
  }
  /** Read a contract: call a function of it without a transaction. */
  callContract: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      address: string
      /** The JSON of a contract */
      abi: unknown
      /** Its name, or its signature where several share the name */
      function: string | number
      /** By name or in order */
      params?: unknown
      from?: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<unknown>
  }
  /** Have a transaction of the user followed: what becomes of it is written into a document of theirs. */
  followTransaction: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      hash: string
    } & {
      /** Fields of the application, kept with it */
      data?: WireFields
    }
    output: WireFields
  }
  /** Events of a contract, decoded by its ABI. */
  listEvents: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** By block */
      order?: 'asc' | 'desc'
      /** The number of a block */
      fromBlock?: number | string
      /** The number of a block */
      toBlock?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      fromDate?: number | string
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      toDate?: number | string
      /** Rows of a page; at most 500 */
      limit?: number | string
      /** From the page before */
      cursor?: string
      /** Rows to leave out; a cursor is quicker */
      offset?: number | string
      address: string
      /** The JSON of a contract */
      abi: unknown
      event?: string | number
    }
    output: ChainPage<LogRecord>
  }
  /** Value of an address over the last days, by balances and pools at about 24 blocks. Needs an archive node. */
  getValueHistory: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** How far to go back; 30 unless given */
      days?: string | number
    }
    output: ChainAnswer<ValueHistoryRecord>
  }
  /** Assets of an address, chain by chain: native currency, tokens with prices if known, NFTs. */
  getPortfolio: {
    input: { address: string } & {
      /** Names or ids of chains; unless given, those with nodes of the operator */
      chains?: string
    }
    output: PortfolioRecord
  }
  /** SOL balance of a Solana address. */
  getSolanaBalance: {
    input: {
      network: 'mainnet' | 'devnet'
      /** 32 bytes in base58 */
      address: string
    }
    output: { solana: string; lamports: string; slot: number; source: 'node' | 'cache' }
  }
  /** Token balances of a Solana address. */
  listSolanaTokens: {
    input: {
      network: 'mainnet' | 'devnet'
      /** 32 bytes in base58 */
      address: string
    }
    output: { tokens: SolanaTokenRecord[]; slot: number; source: 'node' | 'cache' }
  }
  /** NFTs of a Solana address. */
  listSolanaNfts: {
    input: {
      network: 'mainnet' | 'devnet'
      /** 32 bytes in base58 */
      address: string
    }
    output: {
      nfts: { associatedTokenAddress: string; mint: string; name: string | null; symbol: string | null }[]
      slot: number
      source: 'node' | 'cache'
    }
  }
  /** SOL, tokens and NFTs of a Solana address. */
  getSolanaPortfolio: {
    input: {
      network: 'mainnet' | 'devnet'
      /** 32 bytes in base58 */
      address: string
    }
    output: SolanaPortfolioRecord
  }
  /** Metadata of a mint (Metaplex, Token-2022). */
  getSolanaNft: {
    input: {
      network: 'mainnet' | 'devnet'
      /** 32 bytes in base58 */
      address: string
    }
    output: {
      mint: string
      standard: string
      name: string
      symbol: string
      metaplex: {
        metadataUri: string
        masterEdition: boolean
        isMutable: boolean | null
        primarySaleHappened: boolean | null
        sellerFeeBasisPoints: number | null
        updateAuthority: string | null
      }
    }
  }
  /** Not available: prices on Solana need data from outside the chain. */
  getSolanaTokenPrice: {
    input: {
      network: 'mainnet' | 'devnet'
      /** 32 bytes in base58 */
      address: string
    }
    output: Record<never, never>
  }
}

/** Reasons of each endpoint, in addition to those of every endpoint. */
export type EndpointReasons = {
  signUp:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'usernameMissing'
    | 'passwordTooShort'
    | 'passwordContainsUsername'
    | 'usernameTaken'
    | 'usernameHasHiddenCharacters'
    | 'usernameIsEmailAddress'
    | 'usernameIsWalletAddress'
    | 'emailTaken'
    | 'invalidEmailAddress'
  logIn:
    | 'signInMethodOff'
    | 'signInNameMissing'
    | 'invalidCredentials'
    | 'tooManyFailedSignIns'
    | 'emailNotVerified'
    | 'accountDeletionPending'
    | 'accountMerged'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
  logInByGet:
    | 'signInMethodOff'
    | 'signInNameMissing'
    | 'invalidCredentials'
    | 'tooManyFailedSignIns'
    | 'emailNotVerified'
    | 'accountDeletionPending'
    | 'accountMerged'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
  challenge: 'invalidCredentials' | 'tooManyFailedSignIns'
  verifyPassword:
    | 'signInMethodOff'
    | 'signInNameMissing'
    | 'invalidCredentials'
    | 'tooManyFailedSignIns'
    | 'emailNotVerified'
    | 'accountDeletionPending'
    | 'accountMerged'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
  updateUser:
    | 'reauthenticationRequired'
    | 'usernameTaken'
    | 'usernameHasHiddenCharacters'
    | 'usernameIsEmailAddress'
    | 'usernameIsWalletAddress'
    | 'usernameIsThisAddress'
    | 'emailTaken'
    | 'invalidEmailAddress'
    | 'objectNotFound'
  deleteUser: 'reauthenticationRequired' | 'objectNotFound'
  changePassword:
    | 'wrongCurrentPassword'
    | 'reauthenticationRequired'
    | 'operatorForbidden'
    | 'tooManyFailedSignIns'
    | 'passwordTooShort'
    | 'passwordContainsUsername'
  requestPasswordReset: 'invalidEmailAddress'
  resetPassword:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'linkExpired'
    | 'secondFactorRequired'
    | 'invalidSecondFactorCode'
    | 'tooManyFailedSignIns'
    | 'passkeyOfOtherAccount'
    | 'mailNotEnough'
  requestEmailVerification: 'invalidEmailAddress'
  verifyEmail: 'linkExpired'
  createSession: 'reauthenticationRequired'
  updateSession: 'objectNotFound'
  revokeSession: 'invalidSessionToken'
  createInvitation: 'invalidEmailAddress' | 'objectNotFound'
  deleteInvitation: 'objectNotFound'
  createChallenge: 'signInMethodOff' | 'chainNotAllowed' | 'originNotAllowed' | 'invalidAddress'
  signInWithWallet:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'challengeOfOtherBrowser'
    | 'invalidSignature'
    | 'accountLocked'
    | 'accountDeletionPending'
    | 'walletUnlinked'
    | 'walletRestoreExpired'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
    | 'emailNotVerified'
    | 'nodeUnavailable'
  linkWallet:
    | 'reauthenticationRequired'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'invalidSignature'
    | 'accountAlreadyLinked'
  updateWallet: 'walletNotFound'
  unlinkWallet: 'reauthenticationRequired' | 'walletNotFound' | 'lastSignInMethod'
  restoreWallet: 'reauthenticationRequired' | 'walletRestoreExpired' | 'accountAlreadyLinked'
  reauthenticate:
    | 'wrongPassword'
    | 'invalidCredentials'
    | 'signInMethodOff'
    | 'tooManyFailedSignIns'
    | 'operatorForbidden'
    | 'secondFactorRequired'
    | 'invalidSecondFactorCode'
    | 'invalidEmailCode'
    | 'emailCodeExpired'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'challengeOfOtherBrowser'
    | 'invalidSignature'
    | 'walletNotLinked'
    | 'identityNotLinked'
    | 'providerDeclined'
    | 'providerRefused'
    | 'providerProofTooOld'
    | 'passkeyUnknown'
    | 'passkeyNotVerifyingUser'
    | 'passkeyOfOtherAccount'
    | 'passkeyRefused'
  previewMerge:
    | 'reauthenticationRequired'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'invalidSignature'
    | 'walletWithoutAccount'
    | 'proofMissing'
    | 'otherAccountNotProven'
    | 'otherAccountLocked'
    | 'otherAccountOperator'
    | 'otherAccountHasSecondFactor'
    | 'otherAccountNeedsSecondFactor'
    | 'mergeNeedsSecondFactor'
    | 'walletLinkedAlready'
    | 'mergeWithItself'
  merge:
    | 'reauthenticationRequired'
    | 'mergeNotFound'
    | 'mergeExpired'
    | 'mergeDuplicate'
    | 'otherAccountLocked'
    | 'otherAccountOperator'
    | 'otherAccountHasSecondFactor'
    | 'otherAccountNeedsSecondFactor'
    | 'mergeNeedsSecondFactor'
  undoMerge:
    | 'reauthenticationRequired'
    | 'mergeNotFound'
    | 'mergeUndone'
    | 'mergeUndoExpired'
    | 'mergeUndoUnreadable'
    | 'mergeUndoWithoutMethod'
    | 'mergeUsernameTaken'
    | 'mergeEmailTaken'
    | 'lastSignInMethod'
  createPasskeyRegistration: 'reauthenticationRequired' | 'passkeysNeedHostName' | 'originNotAllowed'
  registerPasskey:
    | 'reauthenticationRequired'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'passkeyOfOtherPage'
    | 'passkeyRefused'
    | 'challengeOfOtherBrowser'
    | 'passkeyTaken'
  createPasskeyChallenge: 'signInMethodOff' | 'passkeyMissing' | 'passkeysNeedHostName' | 'originNotAllowed'
  signInWithPasskey:
    | 'signInMethodOff'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'passkeyOfOtherPage'
    | 'passkeyCopied'
    | 'passkeyRefused'
    | 'challengeOfOtherBrowser'
    | 'passkeyUnknown'
    | 'passkeyOfOtherAccount'
    | 'accountLocked'
    | 'accountDeletionPending'
    | 'reauthenticationRequired'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
    | 'emailNotVerified'
  updatePasskey: 'hiddenCharacters' | 'objectNotFound'
  removePasskey: 'reauthenticationRequired' | 'lastSignInMethod' | 'secondFactorDemanded' | 'objectNotFound'
  restorePasskey: 'reauthenticationRequired' | 'passkeyRestoreExpired' | 'passkeyTaken'
  createProviderChallenge:
    | 'signInMethodOff'
    | 'providerUnknown'
    | 'providerUnavailable'
    | 'originNotAllowed'
    | 'reauthenticationRequired'
  signInWithProvider:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherBrowser'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'providerDeclined'
    | 'providerRefused'
    | 'signInToLink'
    | 'accountAlreadyLinked'
    | 'accountLocked'
    | 'accountDeletionPending'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
    | 'emailNotVerified'
  linkProvider:
    | 'reauthenticationRequired'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherBrowser'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'providerDeclined'
    | 'providerRefused'
    | 'accountAlreadyLinked'
  createFarcasterChallenge: 'providerUnknown' | 'originNotAllowed' | 'reauthenticationRequired'
  signInWithFarcaster:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'providerUnknown'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'invalidSignature'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherBrowser'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'providerRefused'
    | 'accountAlreadyLinked'
    | 'accountLocked'
    | 'accountDeletionPending'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
    | 'emailNotVerified'
  linkFarcaster:
    | 'reauthenticationRequired'
    | 'providerUnknown'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'invalidSignature'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherBrowser'
    | 'challengeOfOtherPurpose'
    | 'challengeOfOtherAccount'
    | 'providerRefused'
    | 'accountAlreadyLinked'
  unlinkIdentity: 'reauthenticationRequired' | 'identityNotFound' | 'lastSignInMethod'
  restoreIdentity: 'reauthenticationRequired' | 'identityRestoreExpired' | 'accountAlreadyLinked'
  updateAccountSecurity: 'reauthenticationRequired'
  createRecoveryCodes: 'reauthenticationRequired'
  signInWithRecoveryCode: 'invalidRecoveryCode' | 'tooManyFailedSignIns' | 'emailNotVerified' | 'accountDeletionPending'
  exportAccount: 'reauthenticationRequired'
  undoEmailChange: 'linkExpired' | 'emailOfOtherAccount'
  recoverAccount:
    | 'linkExpired'
    | 'proofMissing'
    | 'wrongPassword'
    | 'olderProofRequired'
    | 'passwordMissing'
    | 'passwordTooShort'
    | 'passwordContainsUsername'
    | 'tooManyFailedSignIns'
    | 'emailOfOtherAccount'
    | 'signInMethodOff'
    | 'challengeExpired'
    | 'challengeUsed'
    | 'challengeOfOtherPurpose'
    | 'messageNotOurs'
    | 'messageChanged'
    | 'challengeOfOtherBrowser'
    | 'invalidSignature'
    | 'nodeUnavailable'
    | 'passkeyUnknown'
    | 'passkeyOfOtherAccount'
    | 'passkeyNotVerifyingUser'
    | 'passkeyRefused'
  undoMergeByLink: 'linkExpired' | 'mergeUndoExpired' | 'mergeUndoUnreadable' | 'mergeUndoWithoutMethod'
  requestEmailCode:
    | 'emailCodeDisabled'
    | 'emailMissing'
    | 'invalidEmailAddress'
    | 'tooManyEmailCodes'
    | 'emailCodeWithoutAddress'
  signInWithEmailCode:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'emailCodeDisabled'
    | 'invalidEmailCode'
    | 'emailCodeExpired'
    | 'challengeOfOtherBrowser'
    | 'emailOpensNothing'
    | 'mailNotEnough'
    | 'accountLocked'
    | 'accountDeletionPending'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
    | 'emailNotVerified'
  signInWithEmailLink:
    | 'signInMethodOff'
    | 'signUpClosed'
    | 'emailDomainNotAllowed'
    | 'invitationRequired'
    | 'invitationInvalid'
    | 'emailCodeDisabled'
    | 'linkExpired'
    | 'challengeOfOtherBrowser'
    | 'emailOpensNothing'
    | 'mailNotEnough'
    | 'accountLocked'
    | 'accountDeletionPending'
    | 'secondFactorRequired'
    | 'secondFactorSetUpRequired'
    | 'emailNotVerified'
  updateSecondFactor: 'reauthenticationRequired' | 'passkeyMissing' | 'secondFactorDemanded'
  removeSecondFactor: 'reauthenticationRequired' | 'secondFactorDemanded'
  startTotp:
    | 'reauthenticationRequired'
    | 'passkeyNotVerifyingUser'
    | 'secondFactorOn'
    | 'signInTicketExpired'
    | 'challengeOfOtherBrowser'
  confirmTotp: 'reauthenticationRequired' | 'invalidSecondFactorCode' | 'tooManyFailedSignIns' | 'secondFactorOn'
  signInWithSecondFactor:
    | 'signInTicketExpired'
    | 'emailNotVerified'
    | 'reauthenticationRequired'
    | 'invalidSecondFactorCode'
    | 'tooManyFailedSignIns'
    | 'proofMissing'
    | 'challengeOfOtherBrowser'
    | 'challengeUsed'
    | 'challengeExpired'
    | 'passkeyOfOtherAccount'
    | 'passkeyNotVerifyingUser'
    | 'passkeyOfOtherPage'
    | 'passkeyRefused'
    | 'passkeyUnknown'
    | 'accountLocked'
  updateSchema: 'permissionsChanged'
  createTokenGate: 'nodeUnavailable'
  checkTokenGate: 'nodeUnavailable'
  claimConsole: 'linkExpired'
  setOperator: 'lastAdmin'
  removeOperator: 'lastAdmin'
  createBackup: 'backupNotSet' | 'backupUnderWay'
  getChain: 'nodeUnavailable'
  getBlock: 'nodeUnavailable'
  getBlockByDate: 'nodeUnavailable'
  getTransaction: 'nodeUnavailable'
  listInternalTransactions: 'nodeUnavailable'
  getAddress: 'nodeUnavailable'
  getNativeBalance: 'nodeUnavailable'
  listNativeBalances: 'nodeUnavailable'
  listTokenBalances: 'nodeUnavailable'
  listNfts: 'nodeUnavailable'
  listTransfers: 'nodeUnavailable'
  listTransactions: 'nodeUnavailable'
  listCollections: 'nodeUnavailable'
  getNameOf: 'nodeUnavailable'
  resolveName: 'nodeUnavailable'
  getNamePicture: 'nodeUnavailable'
  listTokens: 'nodeUnavailable'
  getToken: 'nodeUnavailable'
  getTokenPrice: 'nodeUnavailable'
  getAllowance: 'nodeUnavailable'
  listTokenTransfers: 'nodeUnavailable'
  getCollection: 'nodeUnavailable'
  listTokenIds: 'nodeUnavailable'
  listNftOwners: 'nodeUnavailable'
  listNftTransfers: 'nodeUnavailable'
  getNft: 'nodeUnavailable'
  getNftPicture: 'nodeUnavailable'
  listNftOwnersOfId: 'nodeUnavailable'
  listNftTransfersOfId: 'nodeUnavailable'
  listLogs: 'nodeUnavailable'
  getPair: 'nodeUnavailable'
  callContract: 'nodeUnavailable'
  listEvents: 'nodeUnavailable'
  getValueHistory: 'nodeUnavailable'
  getPortfolio: 'nodeUnavailable'
  getSolanaBalance: 'nodeUnavailable'
  listSolanaTokens: 'nodeUnavailable'
  listSolanaNfts: 'nodeUnavailable'
  getSolanaPortfolio: 'nodeUnavailable'
  getSolanaNft: 'nodeUnavailable'
  getSolanaTokenPrice: 'nodeUnavailable'
}
