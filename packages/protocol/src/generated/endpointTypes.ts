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

/** A rule that was checked. */
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
  /** Content of the rule: entries of a list, names of fields. */
  holds?: string[]
}

export type AccessTokenRecord = {
  objectId: string
  name: string
  kind: 'personal' | 'oauth' | 'service' | 'operator'
  scopes: string[]
  /** Last letters of the token */
  hint: string
  /** Addresses and networks that may use it; empty for all */
  addresses: string[]
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  lastAddress?: string
  /** Name of the service account */
  service?: string
  /** OAuth client */
  client?: string
  /** Operator who made it. It ends when the operator loses the role admin */
  madeBy?: string
  /** Token that replaces it */
  replacedBy?: string
}

/** Safeguards of the account, as shown to its owner. */
export type AccountSecurity = {
  recoveryCodes: { left: number; made: number; createdAt?: string; lastUsedAt?: string }
  /** Sends an email about a sign-in from a new device. */
  signInAlerts: boolean
}

/** An event of an account. */
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

/** Named query for devices that receive pushes. */
export type AudienceRecord = {
  objectId: string
  name: string
  query: WireFields
  createdAt: string
  updatedAt: string
  lastUsed?: WireValue
  timesUsed?: number
}

/** A change of rights or accounts. */
export type AuditRecord = {
  id: string
  at: string
  /** `masterKey`, `user:<id>`, `server`, or `database` for a change recorded by the database. */
  actor: string
  action: string
  subject: string
  details: WireFields
  address?: string
  /** Position in the hash chain; set shortly after it was written. */
  position?: number
  /** Hash of this and all earlier entries. */
  hash?: string
}

/** Integrity of the audit log. */
export type AuditVerdict = {
  isIntact: boolean
  entries: number
  /** Number of anchors outside the database, in files and backups, that were compared. */
  anchors: number
  /** Entries that are not in the chain yet. */
  pending: number
  /** End of the chain, as an anchor to keep on another machine. */
  head?: string
  faults: string[]
}

/** A request of an application to sign a person in. */
export type AuthorizationRequest = {
  client: {
    name: string
    /** Host that people return to. */
    host: string
    /** operator: created by an operator. registered: self-registered. document: from its metadata document. */
    origin: 'operator' | 'registered' | 'document'
  }
  scopes: string[]
  /** Scopes that the user has granted before. */
  granted: string[]
  /** API that the access is for. */
  resource?: string
  needs: 'signIn' | 'confirmation' | 'consent' | 'nothing'
  hint?: string
  /** Code on the device, in the device flow. */
  userCode?: string
}

/** An image by its URL, or the NFT whose metadata at `uri` contains it. */
export type AvatarRecord = { url: string } | { token: string; tokenId: string; uri: string }

export type BackupList = {
  /** Set if the configuration has a target for backups */
  isSet: boolean
  /** Hours between backups */
  every?: number
  keep?: number
  isEncrypted: boolean
  results: BackupRecord[]
}

/** An automatic backup; without `finished` and `error` it is in progress or was abandoned. */
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
    /** Absent while pending. */
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
  /** SYNCING while the index still reads older blocks; data may be missing. */
  status?: 'SYNCED' | 'SYNCING'
}

/** A block, as named by every chain result. */
export type ChainBlockRef = { number: number; hash: string; timestamp: string }

export type ChainIndexRecord = {
  mode: 'users' | 'contracts' | 'all'
  status: 'SYNCED' | 'SYNCING'
  block: number
  /** Share of the older blocks that has been read, from 0 to 1. */
  progress: number
  secondsLeft?: number
}

export type ChainPage<Row> = {
  chain: number
  block: ChainBlockRef
  source: ChainSource
  result: Row[]
  /** SYNCING while the index still reads older blocks; data may be missing. */
  status?: 'SYNCED' | 'SYNCING'
  page: number
  page_size: number
  /** Counted up to 10,000. Absent if counting would be too slow. */
  total?: number
  /** Cursor of the next page; absent on the last one. */
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
  /** Why there is no head, as a sentence. */
  error?: string
  /** The stable name of `error`. */
  reason?: string
  index?: ChainIndexRecord
}

/** `node`: read now; `cache`: read before and still valid; `index`: from the chain index of this server. */
export type ChainSource = 'node' | 'cache' | 'index'

/** A chain with its nodes; `index` if the chain is indexed. */
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
  /** The exact text; absent without an address, because the wallet builds the message from these parts. */
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
  /** Default access list of new objects. `currentUser` is the user who creates the object. */
  ACL?: Acl
}

export type CollectionRecord = { token: string; kind?: 'erc721' | 'erc1155'; name?: string; symbol?: string }

/** An application that a user gave access to their account. */
export type ConnectedApp = {
  id: string
  clientId: string
  name: string
  /** Host of its website. */
  host?: string
  scopes: string[]
  connectedAt: string
  lastUsedAt?: string
}

/** The request, as the server sees it. */
export type ConnectionRecord = {
  address: string
  /** True if a trusted proxy sent the address of the caller. */
  isForwarded: boolean
  host: string
  forwardedFor?: string
  forwardedProto?: string
  forwardedHost?: string
  time: string
}

/** A section of the console. The role of an operator decides which sections are visible. */
export type ConsoleArea =
  | 'overview'
  | 'users'
  | 'signIns'
  | 'data'
  | 'sql'
  | 'schema'
  | 'access'
  | 'roles'
  | 'functions'
  | 'tokenGates'
  | 'chain'
  | 'files'
  | 'config'
  | 'push'
  | 'mail'
  | 'audit'
  | 'settings'
  | 'operators'
  | 'clients'
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
  /** The user who uploaded it, if any. */
  owner?: { objectId: string; username?: string }
}

/** A function of the application. */
export type ConsoleFunctionRecord = {
  name: string
  /** A JSON Schema; absent if the code declares none */
  input?: WireFields
  /** user, master, or role: with the name of a role */
  requires: string[]
  isRemote: boolean
}

export type ConsoleJobRecord = { name: string; schedules: ConsoleScheduleRecord[] }

/** The calling operator, and the sections of the console they can use. */
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
  /** Child roles, whose members have it too. */
  roles: number
  /** Token gates that grant it. */
  tokenGates: number
  createdAt: string
  /** Parent roles, which its members have too. */
  parents: { objectId: string; name: string }[]
  /** Entries of its access list. */
  readers: string[]
  writers: string[]
}

/** A role with the number of its direct members; `isMore` if there are more than counted. */
export type ConsoleRoleRow = {
  objectId: string
  name: string
  users: number
  isMore: boolean
  /** Child roles, whose members have it too. */
  roles: number
  /** Token gates that grant it. */
  tokenGates: number
}

/** When a job runs. */
export type ConsoleScheduleRecord = {
  /** Set for schedules created by a request; the others are in the code */
  objectId?: string
  cron?: string
  timeZone?: string
  startAfter?: string
  repeatMinutes?: number
  description?: string
  next?: string
  /** Why the schedule is invalid */
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
  /** Address of the primary wallet, else of the first one. */
  wallet?: string
  /** Sign-in methods of the account. */
  methods: UserMethod[]
  /** Time of permanent deletion, if its owner has deleted the account. */
  deletedAt?: string
  /** Custom fields of the user. */
  fields: WireFields
  signInMethods: SignInMethods
  secondFactor: boolean
  sessions: SessionRecord[]
  roles: string[]
  grants: RoleGrantRecord[]
  /** True if an operator scheduled the deletion, which an operator can undo. */
  isUndoable: boolean
  activity: ActivityRecord[]
  /** Number of objects of each class the user can write; `isMore` if there are more than counted. */
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
  /** Address of the primary wallet, else of the first one. */
  wallet?: string
  /** Sign-in methods of the account. */
  methods: UserMethod[]
}

/** Origin of a session. */
export type CreatedWith = { action: 'signup' | 'login' | 'create' | 'upgrade'; authProvider?: string }

/** A saved view of the data browser, shared by all operators. */
export type DataViewRecord = {
  objectId: string
  className: string
  name: string
  filter: string
  order: string
  hidden: string[]
  changedAt: string
}

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

/** A field of a class in the schema API. Pointers and relations have a target class. */
export type FieldRecord = { type: string; targetClass?: string; required?: boolean; defaultValue?: WireValue }

export type FigureRange = 'hour' | 'day' | 'week' | 'month'

/** Figures of one period. */
export type FigureRecord = {
  /** Start of the period. */
  at: string
  requests: number
  /** Responses with a status of 400 and above. */
  refused: number
  /** Of these, responses with 500 and above. */
  failed: number
  /** Milliseconds; absent if there was no request. */
  median?: number
  /** 95th percentile of the response time in milliseconds. */
  p95?: number
  p99?: number
  signUps: number
  /** By sign-in method. */
  signIns: { [name: string]: number }
  /** Highest number open at the same time. */
  sockets: number
}

/** Result of a check. A fault breaks something; a warning may. */
export type FindingRecord = {
  area: string
  check: string
  status: 'ok' | 'warning' | 'fault' | 'skipped'
  message: string
  meaning?: string
  fix?: string
}

/** Identity of an account's owner at a provider of the operator. */
export type IdentityRecord = {
  provider: string
  /** Absent if the provider only confirms another sign-in method. */
  id?: string
  /** Display name of an OpenID Connect or OAuth 2 provider. */
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
  /** Previous keys still work */
  isRotating: boolean
  results: {
    name: 'appId' | 'javascriptKey' | 'masterKey' | 'secret'
    source: 'made' | 'configuration'
    value?: string
    hasFormer: boolean
  }[]
}

/** A line of the server's log, in the format of the parse-server dashboard. */
export type LogLineRecord = {
  timestamp: string
  level: string
  /** The message, followed by its details as JSON. */
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

/** Kind of an email. `application`: sent by application code. */
export type MailKind =
  | 'verification'
  | 'passwordReset'
  | 'signInCode'
  | 'newDevice'
  | 'accountChanged'
  | 'emailChanged'
  | 'application'

/** An email that was passed to the SMTP server, without its text. */
export type MailLogRecord = {
  objectId: string
  to: string
  kind: MailKind
  sentAt: string
  /** Response time of the mail server. */
  milliseconds: number
  /** Error of the mail server; absent if it accepted the email. */
  error?: string
}

/** Preview of a merge of the other account into this one. Nothing has changed yet. */
export type MergePreview = {
  objectId: string
  /** Time until which the merge can be completed. */
  expiresAt: string
  from: { objectId: string; username: string }
  into: { objectId: string; username: string }
  wallets: WalletRecord[]
  passkeys: PasskeyRecord[]
  /** Absent if there are none. */
  identities?: IdentityRecord[]
  /** Fields that will be copied from the other account. */
  fields: string[]
  /** Fields that both accounts have; this account's values are kept. */
  kept: string[]
  sessionsEnded: number
}

export type NewAccessTokenRecord = {
  objectId: string
  name: string
  kind: 'personal' | 'oauth' | 'service' | 'operator'
  scopes: string[]
  /** Last letters of the token */
  hint: string
  /** Addresses and networks that may use it; empty for all */
  addresses: string[]
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  lastAddress?: string
  /** Name of the service account */
  service?: string
  /** OAuth client */
  client?: string
  /** Operator who made it. It ends when the operator loses the role admin */
  madeBy?: string
  /** Token that replaces it */
  replacedBy?: string
  /** Shown once */
  token: string
}

export type NftHoldingRecord = {
  token: string
  tokenId: string
  kind: 'erc721' | 'erc1155'
  name?: string
  symbol?: string
  uri?: string
  /** Content of `uri`, if already fetched. */
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
  /** Content of `uri`, if already fetched. */
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

/** A node as operators see it: only the host, because path and query may contain keys. */
export type NodeRecord = {
  /** Without path and query, which may contain keys */
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

/** An application that signs people in with their account here. */
export type OidcClientRecord = {
  clientId: string
  name: string
  kind: 'web' | 'public'
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri?: string
  website?: string
  tokenAuth?: 'basic' | 'post'
  isPairwise: boolean
  device: boolean
  isTrusted: boolean
  /** Self-registered. */
  isRegistered: boolean
  /** Accounts connected to it. */
  users: number
  createdAt: string
  updatedAt: string
}

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

/** An email that was captured because no SMTP server is configured. */
export type OutboxMail = {
  id: string
  to: string
  subject: string
  text: string
  /** The link in the email. */
  link: string | null
  createdAt: string
}

export type OverviewRecord = {
  at: string
  range: FigureRange
  /** Length of one entry of `series`, in seconds. */
  step: number
  users: { total: number; newToday: number; activeToday: number; activeMonth: number }
  sessions: number
  /** Refused sign-in attempts of the last 24 hours. */
  failedSignInsToday: number
  sockets: number
  jobs: { waiting: number; failedToday: number; doneToday: number }
  database: { kind: 'embedded' | 'postgres'; size: number }
  server: { version: string; node: string; startedAt: string }
  chains: { chain: number; block: number; head: number; lag: number; status: string; error?: string }[]
  series: FigureRecord[]
  /** The same entries of the period before. */
  previous: FigureRecord[]
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

/** An unchanged image, for pages that load nothing from other hosts. */
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
  /** NFTs of the address. Absent if the index does not include the address. */
  nfts?: number
  /** True if every token is known: only the index has all tokens of an address. */
  complete?: boolean
  status?: 'SYNCED' | 'SYNCING'
  /** Why there is no data of this chain, as a sentence. */
  error?: string
  /** The stable name of `error`. */
  reason?: string
}

export type PortfolioRecord = { address: string; chains: PortfolioChain[] }

export type PriceChangeRecord = {
  /** Absent for the native currency. */
  token?: string
  /** In US dollars, of one whole token. */
  usd: string
  /** 24 hours earlier; absent without an archive node, or without a pool then. */
  usdBefore?: string
}

/** From the deepest known pool on the chain: the current price of a small swap. */
export type PriceRecord = {
  token: string
  name?: string
  symbol?: string
  decimals?: number
  native?: { value: string; decimals: number; symbol: string }
  usd?: string
  from?: { exchange: string; kind: 'v2' | 'v3'; pool: string; quote: string; depth: string }
}

/** An OpenID Connect or OAuth 2 provider for sign-in in the browser. */
export type ProviderRecord = {
  name: string
  /** Name on its button. */
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

/** A remote function. */
export type RemoteFunctionRecord = { functionName: string; url: string }

/** A remote hook. */
export type RemoteHookRecord = { className: string; triggerName: string; url: string }

/** A role of a user, and why they have it. */
export type RoleGrantRecord = {
  objectId: string
  name: string
  /** Given by a token gate. */
  isGated: boolean
  /** Names from the role that lists the user to this one. */
  path: string[]
}

export type RoleMemberRecord = { objectId: string; username: string; email?: string; isGated: boolean }

/** A saved query of the SQL editor, shared by all administrators. */
export type SavedQueryRecord = {
  objectId: string
  name: string
  query: string
  /** Shown as a chart. */
  chart: boolean
  changedAt: string
}

/** A class in the schema API. */
export type SchemaRecord = {
  className: string
  fields: { [name: string]: FieldRecord }
  classLevelPermissions: ClassPermissions
  indexes?: { [name: string]: WireFields }
}

/** Second factor of an account. */
export type SecondFactorRecord = {
  /** True if a code of an authenticator app is required */
  totp: boolean
  /** True if a passkey is required, or accepted instead of a code */
  passkey: boolean
  /** True if the operator requires a second factor for this account */
  required: boolean
  /** Number of remembered browsers */
  rememberedDevices: number
}

/** Security checks of the server, in the format of parse-server. */
export type SecurityReport = {
  version: string
  state: 'success' | 'fail'
  groups: {
    name: string
    state: 'success' | 'fail'
    checks: { title: string; state: 'success' | 'fail'; warning?: string; solution?: string }[]
  }[]
}

/** A mail to the account, without its text. */
export type SentMailRecord = { objectId: string; kind: MailKind; at: string }

export type ServiceRecord = {
  objectId: string
  /** In access lists as `service:` and this name */
  name: string
  roles: string[]
  keys: number
  createdAt: string
  lastUsedAt?: string
}

/** A session as its owner sees it. The token is included only for the session of the request and for a new one. */
export type SessionRecord = {
  objectId: string
  createdAt: string
  updatedAt: string
  user: WirePointer
  createdWith: CreatedWith
  expiresAt: WireDate
  installationId?: string
  sessionToken?: string
  /** True for the session of this request. */
  current?: boolean
  userAgent?: string
  ipAddress?: string
  lastUsedAt?: WireDate
  /** Message and signature that started it, for its owner to verify. */
  proof?: { message: string; signature: string }
}

/** Effective value of a setting, with its source. */
export type SettingRecord = {
  name: string
  /** `database`: set in the console. */
  source: 'default' | 'file' | 'environment' | 'commandLine' | 'database'
  /** Absent if it may contain a secret. */
  value?: string
  isSecret: boolean
  isSet: boolean
  /** Environment variable of the setting. */
  variable?: string
  /** Present if the console can change it: neither the file nor the environment sets it. */
  edit?: {
    /** JSON to edit, without secrets; absent if nothing is set. */
    input?: string
    /** True if a password is stored. It stays unless a new one is sent. */
    hasSecret: boolean
    canUndo: boolean
    /** Changes with each save. Send it with a change: one in between is then refused. */
    version: string
    changedAt?: string
    changedBy?: string
  }
}

/** A name that has too many failed sign-ins. */
export type SignInLockoutRecord = {
  objectId: string
  /** The guessed secret. */
  secret: 'password' | 'recovery' | 'additional'
  /** Absent if no account has the name that was tried. */
  user?: { objectId: string; username: string }
  /** Only for a browser that has opened the account before. */
  isKnownBrowser: boolean
  failures: number
  until: string
}

/** Method of a sign-in attempt. `operator`: a session that an operator or the master key opened. */
export type SignInLogMethod =
  | 'password'
  | 'wallet'
  | 'passkey'
  | 'provider'
  | 'emailCode'
  | 'recoveryCode'
  | 'secondFactor'
  | 'farcaster'
  | 'guest'
  | 'legacyClient'
  | 'operator'

/** A sign-in attempt, without anything that was typed. */
export type SignInLogRecord = {
  objectId: string
  at: string
  result: SignInResult
  method: SignInLogMethod
  /** Reason of the refusal; absent if a session was opened. */
  reason?: string
  /** The account, if the attempt named one that exists. */
  user?: { objectId: string; username: string }
  ipAddress?: string
  userAgent?: string
  /** Equal attempts within a few seconds that share this entry. */
  count: number
}

/** All sign-in methods of an account. The last one cannot be removed. */
export type SignInMethods = {
  password: boolean
  wallets: WalletRecord[]
  passkeys: PasskeyRecord[]
  /** Of configured providers; absent if there are none. */
  identities?: IdentityRecord[]
  /** The user can sign in with a code by email. */
  emailCode?: true
  /** The user can sign in with a guest ID of legacy clients. */
  anonymous?: true
  /** Last use of each method without its own list; absent if none was used. */
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

/** An address that has used up a rate limit of the responding server. */
export type SignInRateLimitRecord = {
  objectId: string
  /** An address, or the network that is counted as one. */
  address: string
  path: string
  methods?: string[]
  /** Requests allowed in the window. */
  requests: number
  until: string
}

/** `incomplete`: the proof was right, and the account asks for more, such as a second factor. */
export type SignInResult = 'succeeded' | 'failed' | 'incomplete'

/** Slow queries of one shape on the responding server, without values. */
export type SlowQueryRecord = {
  objectId: string
  className: string
  operation: 'find' | 'count'
  /** `author = ? and score > ?`; empty if there are no conditions. */
  shape: string
  /** `-createdAt, name`; empty if there is no order. */
  order: string
  count: number
  /** Milliseconds. */
  average: number
  slowest: number
  lastSeen: string
  hasPlan: boolean
  /** Same format as in updateSchema; absent if an index exists already or none would help */
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

/** A class or relation, with the columns that a query may read. */
export type SqlTableRecord = { name: string; columns: { name: string; type: string }[] }

/** A state: documents that application code computes from contract events. */
export type StateRecord = {
  name: string
  chain: number
  /** Classes of the events that it is computed from */
  events: string[]
  /** Classes that it writes */
  classes: string[]
  version: number
  status: 'SYNCED' | 'SYNCING'
  /** Events up to this block have been handled */
  block: number
  /** Skipped events: the server rejects their values */
  leftOut?: number
  /** Error thrown by its code; it is retried */
  error?: string
}

/** An event sync, which stores contract events as objects of a class. */
export type SyncRecord = {
  name: string
  chain: number
  class: string
  /** Origin: the configuration, or a request */
  origin: 'config' | 'stored'
  status: 'SYNCED' | 'SYNCING'
  /** Blocks that are not read yet */
  blocksLeft: number
  startBlock?: number
  /** Contracts created by its factory */
  children?: number
  /** Skipped events: an index of the class rejects their values */
  leftOut?: number
  error?: string
  /** Same format as in the configuration: see docs/contract-events.md */
  definition: WireFields
}

export type TokenBalanceRecord = { token: string; name?: string; symbol?: string; decimals?: number; balance: string }

/** A wallet that passes a token gate, with its balance at the last check. */
export type TokenGateHolderRecord = {
  address: string
  amount: string
  seenAt: string
  user: { objectId: string; username?: string }
}

/** A token that grants a role. Amounts and ids are decimal strings. */
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
  /** Absent while pending. */
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

export type UserMethod = 'password' | 'wallet' | 'passkey' | 'provider'

export type UserOrder = 'createdAt' | '-createdAt' | 'username' | '-username' | 'lastSeenAt' | '-lastSeenAt'

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
  /** Oldest first; the last one is the head. */
  points: ValueRecord[]
  /** True if every token is known: only the index has all tokens of an address. */
  complete: boolean
}

/** Value of an address at the prices of that time. */
export type ValueRecord = {
  block: ChainBlockRef
  /** In US dollars; includes only assets with a price. */
  usd: string
  /** Number of currencies and tokens without a price. */
  unpriced: number
}

/** A wallet that the user has proven to own. */
export type WalletRecord = {
  objectId: string
  /** The family of chains: `eip155` (EVM) or `solana`. */
  namespace: 'eip155' | 'solana'
  kind: 'eoa' | 'contract' | 'delegated' | 'solana'
  /** Address for display, with checksum for EVM. */
  address: string
  /** The chain of a contract account. */
  chainId?: string
  label?: string
  primary: boolean
  /** A contract account that was not deployed at its last proof. It passes no token gate, and its account cannot add sign-in methods. */
  provisional?: true
  /** Imported from another server and not proven here yet. It passes no token gate. */
  imported?: true
  linkedAt: string
  lastUsedAt: string
}

/** A URL that receives events. */
export type WebhookRecord = {
  objectId: string
  createdAt: string
  updatedAt: string
  url: string
  events: string[]
  /** Absent: all classes. */
  classes?: string[]
  description?: string
  enabled: boolean
}

/** Input and output of each endpoint. The key is the endpoint's one name on every level. */
export type EndpointTypes = {
  /** Create an account and open a session. With authData, sign in or create that account. */
  signUp: {
    input: WireFields & { username?: string; password?: string; email?: string | null | { __op: 'Delete' } }
    output: WireFields & { objectId: string; createdAt: string; sessionToken?: string }
  }
  /** Sign in with username or email address and password. */
  logIn: {
    input: {
      username?: string | null
      email?: string | null
      password: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
      authData?: WireFields
    }
    output: UserRecord
  }
  /** Sign in by GET, for legacy clients. */
  logInByGet: {
    input: {
      username?: string | null
      email?: string | null
      password: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Get the challenge of an auth adapter, such as a code that it sends. */
  challenge: {
    input: {
      username?: string | null
      email?: string | null
      password?: string | null
      /** authData of a provider that identifies the user */
      authData?: WireFields
      /** Input for each provider, by its name */
      challengeData?: WireFields
    }
    output: { challengeData: WireFields }
  }
  /** Check a password without starting a session. */
  verifyPassword: { input: { username?: string | null; email?: string | null; password: string }; output: UserRecord }
  /** Start a session for any user. Master key. */
  logInAs: { input: { userId: string }; output: UserRecord }
  /** End the session. */
  logOut: { input: Record<never, never>; output: Record<never, never> }
  /** The user of the session. */
  getCurrentUser: { input: Record<never, never>; output: UserRecord }
  /** Change a user: their own record, or any with the master key. */
  updateUser: {
    input: { objectId: string } & WireChanges
    output: WireFields & { updatedAt: string; sessionToken?: string }
  }
  /** Delete a user and all sessions. Owners can restore their account for some days. */
  deleteUser: { input: { objectId: string }; output: Record<never, never> }
  /** Change the password, or set a first one after a recent proof. Ends all other sessions. */
  changePassword: { input: { newPassword: string; currentPassword?: string }; output: { sessionToken?: string } }
  /** Mail a link that sets a new password. The response is the same for every address. */
  requestPasswordReset: { input: { email: string }; output: Record<never, never> }
  /** Set a new password with the token of a mailed link. */
  resetPassword: {
    input: {
      password: string
      token: string
      /** Required if the account has a second factor and its holder has not verified the address */
      secondFactorCode?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
      authData?: WireFields
      /** Creates a new account with the address if email alone cannot sign in to its account */
      newAccount?: boolean
    }
    output: Record<never, never>
  }
  /** Mail the verification link again. */
  requestEmailVerification: { input: { email: string }; output: Record<never, never> }
  /** Verify an email address with the token of a mailed link. */
  verifyEmail: { input: { token: string }; output: Record<never, never> }
  /** Access tokens of the account, newest first. */
  listAccessTokens: { input: Record<never, never>; output: { results: AccessTokenRecord[] } }
  /** Create a personal access token, shown once. Needs a recent proof. */
  createAccessToken: {
    input: {
      name: string
      scopes: string[]
      /** Addresses and networks; all if absent */
      addresses?: string[]
      /** Seconds */
      expiresIn?: number
    }
    output: NewAccessTokenRecord
  }
  /** Revoke an access token of the account, on all servers at once. */
  revokeAccessToken: { input: { objectId: string }; output: Record<never, never> }
  /** The token of this request, with its scopes. */
  getAccessToken: { input: Record<never, never>; output: AccessTokenRecord }
  /** Scopes with the endpoints that each opens. */
  listScopes: {
    input: Record<never, never>
    output: {
      results: {
        scope: string
        meaning: string
        holders: string[]
        endpoints: { name: string; method: string; path: string; summary: string }[]
      }[]
    }
  }
  /** Service accounts. */
  listServices: { input: Record<never, never>; output: { results: ServiceRecord[] } }
  /** Create a service account. Its name never changes: access lists have it. */
  createService: {
    input: {
      name: string
      /** Names of roles */
      roles?: string[]
    }
    output: ServiceRecord
  }
  /** Change the roles of a service account. */
  updateService: {
    input: { objectId: string } & {
      /** Names of roles */
      roles: string[]
    }
    output: ServiceRecord
  }
  /** Delete a service account and revoke its keys. */
  deleteService: { input: { objectId: string }; output: Record<never, never> }
  /** Keys of service accounts and of operators, newest first. */
  listAccessKeys: { input: Record<never, never>; output: { results: AccessTokenRecord[] } }
  /** Create a key with scopes, shown once: of a service account, or in place of the master key. */
  createAccessKey: {
    input: {
      name: string
      scopes: string[]
      /** Addresses and networks; all if absent */
      addresses?: string[]
      /** Service account that it acts for; an operator key if absent */
      service?: string
      /** Seconds; without end if absent */
      expiresIn?: number
    }
    output: NewAccessTokenRecord
  }
  /** Create a key that replaces this one. Both are valid for a while. */
  rotateAccessKey: {
    input: { objectId: string } & {
      /** Seconds for which the former key stays valid */
      overlap?: number
    }
    output: NewAccessTokenRecord
  }
  /** Revoke a key of a service account or of operators, on all servers at once. */
  revokeAccessKey: { input: { objectId: string }; output: Record<never, never> }
  /** Open another session for the same user. */
  createSession: { input: WireFields; output: SessionRecord }
  /** Write your own fields to a session. */
  updateSession: { input: { objectId: string } & WireChanges; output: WireFields & { updatedAt?: string } }
  /** End a session immediately. */
  revokeSession: { input: { objectId: string }; output: Record<never, never> }
  /** The session of this request. */
  getCurrentSession: { input: Record<never, never>; output: SessionRecord }
  /** For legacy clients. Every session is revocable. */
  upgradeToRevocableSession: { input: Record<never, never>; output: SessionRecord }
  /** End all other sessions of the user. */
  revokeOtherSessions: { input: Record<never, never>; output: { revoked: number } }
  /** Sign-in methods of the account. */
  listSignInMethods: { input: Record<never, never>; output: SignInMethods }
  /** Sign-in methods of this server, in order, and who may sign up. */
  getSignInOptions: { input: Record<never, never>; output: SignInOptions }
  /** Invitations to sign up, newest first. Master key. */
  listInvitations: { input: Record<never, never>; output: { results: InvitationRecord[] } }
  /** Create an invitation to sign up. Its link is returned once. Master key. */
  createInvitation: {
    input: {
      /** Email address of the invited person */
      email?: string | null
      /** Role of the new user */
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
  /** Message (EIP-4361) for a wallet to sign, valid in this browser only. */
  createChallenge: {
    input: {
      purpose?: ChallengePurpose | null
      namespace?: 'eip155' | 'solana'
      address?: string | null
      /** Chain ID of EVM, decimal or hex, or a Solana network */
      chainId?: number | string | null
    }
    output: ChallengeRecord
  }
  /** Sign in with a signed challenge. Creates an account for a new wallet. */
  signInWithWallet: {
    input: {
      /** The signed message, unchanged */
      message: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
      /** Creates a new account with the address if email alone cannot sign in to its account */
      newAccount?: boolean
    }
    output: UserRecord
  }
  /** Wallets of the account. */
  listWallets: { input: Record<never, never>; output: { results: WalletRecord[] } }
  /** Add a wallet, with a challenge signed for the purpose link. */
  linkWallet: {
    input: {
      /** The signed message, unchanged */
      message: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature: string
    }
    output: WalletRecord
  }
  /** Label a wallet, or make it the primary one of its namespace. */
  updateWallet: { input: { objectId: string } & { label?: string | null; primary?: true }; output: WalletRecord }
  /** Remove a wallet, unless it is the last sign-in method. Needs a recent proof. */
  unlinkWallet: { input: { objectId: string }; output: { undoUntil: string } }
  /** Restore a wallet within ten minutes of its removal. Needs a recent proof. */
  restoreWallet: { input: { objectId: string }; output: WalletRecord }
  /** Confirm the session with a new proof. It continues under a new token. */
  reauthenticate: {
    input: {
      /** The signed message, unchanged */
      message?: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature?: string
      password?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
      provider?: ProviderResponse
      /** authData for a provider in the setting auth, as legacy clients send it */
      authData?: WireFields
      /** Required with any proof except a passkey, if the account has a second factor */
      secondFactorCode?: string
      /** An emailed code to confirm the session */
      emailCode?: {
        /** Handle from requestEmailCode */
        handle: string
        code: string
      }
    }
    output: { confirmedUntil: string; sessionToken?: string }
  }
  /** Prove another account and preview what a merge moves. */
  previewMerge: {
    input: {
      /** The signed message, unchanged */
      message?: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature?: string
      /** Instead of a signature: token of a new session of the other account */
      sessionToken?: string
    }
    output: MergePreview
  }
  /** Merge a previewed account, within five minutes of both proofs. */
  merge: { input: { objectId: string }; output: { undoUntil: string } }
  /** Undo a merge, within 7 days by default. Needs a recent proof. */
  undoMerge: { input: { objectId: string }; output: Record<never, never> }
  /** Events of the account, newest first. */
  listActivity: {
    input: { before?: string; limit?: number; actions?: string[]; userAgents?: string[] }
    output: { results: ActivityRecord[] }
  }
  /** Mails that were sent to the account's verified address, newest first, without content. */
  listSentMails: { input: Record<never, never>; output: { results: SentMailRecord[] } }
  /** Browser options to create a passkey, valid in this browser only. */
  createPasskeyRegistration: { input: Record<never, never>; output: { options: WireFields } }
  /** Add a passkey to the account. */
  registerPasskey: {
    input: {
      /** Result of PublicKeyCredential.toJSON() */
      credential: WireFields
      name?: string | null
    }
    output: PasskeyRecord
  }
  /** Browser options to use a passkey, valid in this browser only. */
  createPasskeyChallenge: { input: { purpose?: 'signIn' | 'reauthenticate' | null }; output: { options: WireFields } }
  /** Sign in with a passkey, without a username. */
  signInWithPasskey: {
    input: {
      /** Result of PublicKeyCredential.toJSON() */
      credential: WireFields
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Passkeys of the account. */
  listPasskeys: { input: Record<never, never>; output: { results: PasskeyRecord[] } }
  /** Rename a passkey. */
  updatePasskey: { input: { objectId: string } & { name: string }; output: PasskeyRecord }
  /** Remove a passkey, unless it is the last sign-in method. Needs a recent proof. */
  removePasskey: { input: { objectId: string }; output: { undoUntil: string } }
  /** Restore a passkey within ten minutes of its removal. Needs a recent proof. */
  restorePasskey: { input: { objectId: string }; output: PasskeyRecord }
  /** Sign-in providers of this server. */
  listProviders: { input: Record<never, never>; output: { results: ProviderRecord[] } }
  /** URL to sign in with a provider, valid in this browser only. */
  createProviderChallenge: {
    input: { provider: string } & {
      purpose?: 'signIn' | 'link' | 'reauthenticate' | null
      /** Display of the provider; redirect by default */
      display?: 'popup' | 'redirect' | null
      /** Path of the page that the browser returns to */
      returnTo?: string | null
    }
    output: { url: string; state: string; expiresAt: string }
  }
  /** Sign in with the response of a provider. Creates an account for a new identity. */
  signInWithProvider: {
    input: {
      state: string
      /** Absent if the provider returned an error */
      code?: string
      iss?: string
      error?: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Add a provider, with its response for the purpose link. */
  linkProvider: { input: ProviderResponse; output: IdentityRecord }
  /** Required content of a Sign In With Farcaster message, valid in this browser only. */
  createFarcasterChallenge: {
    input: { purpose?: 'signIn' | 'link' | 'reauthenticate' | null }
    output: {
      nonce: string
      domain: string
      siweUri: string
      expirationTime: string
      /** Service that opens the user's Farcaster app */
      relay?: string
    }
  }
  /** Sign in with a message signed by the custody address of a Farcaster id. */
  signInWithFarcaster: {
    input: {
      /** The signed message, unchanged */
      message: string
      /** Hexadecimal */
      signature: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Add a Farcaster id. Needs a recent proof. */
  linkFarcaster: {
    input: {
      /** The signed message, unchanged */
      message: string
      /** Hexadecimal */
      signature: string
    }
    output: IdentityRecord
  }
  /** Remove a provider, unless it is the last sign-in method. Needs a recent proof. */
  unlinkIdentity: { input: { provider: string }; output: { undoUntil: string } }
  /** Restore a provider within ten minutes of its removal. Needs a recent proof. */
  restoreIdentity: { input: { provider: string }; output: IdentityRecord }
  /** Number of recovery codes left, and whether new-device alerts are on. */
  getAccountSecurity: { input: Record<never, never>; output: AccountSecurity }
  /** Turn alerts on or off. Off needs a recent proof. */
  updateAccountSecurity: { input: { signInAlerts: boolean }; output: AccountSecurity }
  /** Create ten recovery codes, shown once. They replace the old ones. Needs a recent proof. */
  createRecoveryCodes: { input: Record<never, never>; output: { codes: string[] } }
  /** Sign in with username or email address and a recovery code. */
  signInWithRecoveryCode: {
    input: {
      username: string
      code: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
    }
    output: UserRecord
  }
  /** Export everything stored about the user as one JSON file. Needs a recent proof. */
  exportAccount: { input: Record<never, never>; output: WireFields }
  /** Restore an email address that was changed or removed, with the token mailed to it. Ends all sessions and returns a token for a new password. */
  undoEmailChange: { input: { token: string }; output: { resetToken: string } }
  /** Undo what somebody added to an account, with the mailed token and an older password, wallet or passkey. Ends all sessions. */
  recoverAccount: {
    input: {
      /** The signed message, unchanged */
      message?: string
      /** Hexadecimal for EVM; base64 or base58 for Solana */
      signature?: string
      token: string
      /** Password of the account before the change. Needs newPassword. */
      password?: string
      newPassword?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
    }
    output: Record<never, never>
  }
  /** Restore an account that was merged, with the token mailed to its owner. Ends all sessions of both and returns a token for a new password. */
  undoMergeByLink: { input: { token: string }; output: { resetToken: string } }
  /** Mail a sign-in code, valid in this browser only. The response is the same for every address. To confirm a session, the code goes to the account's address. */
  requestEmailCode: {
    input: { email?: string; purpose?: 'signIn' | 'reauthenticate' | null }
    output: { handle: string; expiresAt: string }
  }
  /** Sign in with a mailed code, in the browser that requested it. */
  signInWithEmailCode: {
    input: {
      /** Handle from requestEmailCode */
      handle: string
      code: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
      /** Creates a new account with the address if email alone cannot sign in to its account */
      newAccount?: boolean
    }
    output: UserRecord
  }
  /** Sign in with the token of a mailed link, in the browser that requested it. */
  signInWithEmailLink: {
    input: {
      token: string
      /** Restores an account that is scheduled for deletion */
      restoreAccount?: boolean
      /** Creates a new account with the address if email alone cannot sign in to its account */
      newAccount?: boolean
    }
    output: UserRecord
  }
  /** Second factor of the account. */
  getSecondFactor: { input: Record<never, never>; output: SecondFactorRecord }
  /** Require one of the account's passkeys after other sign-in methods, or stop. Needs a recent proof. */
  updateSecondFactor: { input: { passkey: boolean }; output: SecondFactorRecord }
  /** Turn off the second factor. Needs a recent proof. */
  removeSecondFactor: { input: Record<never, never>; output: SecondFactorRecord }
  /** Forget remembered browsers. Each is asked for the second factor again. */
  forgetDevices: { input: Record<never, never>; output: Record<never, never> }
  /** Create a secret for an authenticator app. It is off until confirmed with a code. Needs a recent proof, or the ticket of secondFactorSetUpRequired. */
  startTotp: {
    input: {
      /** From the params of the error secondFactorRequired */
      ticket?: string
    }
    output: { secret: string; uri: string }
  }
  /** Turn on the authenticator app with one of its codes. Needs a recent proof. */
  confirmTotp: { input: { code: string }; output: SecondFactorRecord }
  /** Complete a sign-in with its ticket and a code of the app, a recovery code or a passkey. */
  signInWithSecondFactor: {
    input: {
      /** From the params of the error secondFactorRequired */
      ticket: string
      code?: string
      /** Result of PublicKeyCredential.toJSON() */
      credential?: WireFields
      /** Remember this browser; for cookie sessions */
      rememberDevice?: boolean
    }
    output: UserRecord
  }
  /** Get the request of an application. Works only in the browser that it redirected. */
  getAuthorizationRequest: { input: { uid: string }; output: AuthorizationRequest }
  /** Allow or refuse. The response has the address to go on to. */
  answerAuthorizationRequest: {
    input: { uid: string } & {
      allow: boolean
      /** Granted scopes of those requested; all by default */
      scopes?: string[]
    }
    output: { location: string }
  }
  /** Applications with access to your account. */
  listConnectedApps: { input: Record<never, never>; output: { results: ConnectedApp[] } }
  /** End the access of an application at once. */
  disconnectApp: { input: { id: string }; output: Record<never, never> }
  /** Clients of the OpenID provider. Master key. */
  listOidcClients: { input: Record<never, never>; output: { results: OidcClientRecord[] } }
  /** Create a client of the OpenID provider. Its secret is shown once. Master key. */
  createOidcClient: {
    input: {
      /** Shown to people who are asked for consent */
      name: string
      /** web: a server with a secret. public: a page, a native app, a terminal */
      kind: 'web' | 'public'
      /** Full https:// addresses, compared exactly. Loopback addresses may be http:// */
      redirectUris: string[]
      postLogoutRedirectUris?: string[]
      backchannelLogoutUri?: string
      website?: string
      /** Sending of the secret */
      tokenAuth?: 'basic' | 'post'
      /** Gives the client ids of its own for people */
      isPairwise?: boolean
      /** Allows the device flow, for terminals and televisions */
      device?: boolean
      /** An application of your own: people are not asked for consent */
      isTrusted?: boolean
    }
    output: {
      clientId: string
      name: string
      kind: 'web' | 'public'
      redirectUris: string[]
      postLogoutRedirectUris: string[]
      backchannelLogoutUri?: string
      website?: string
      tokenAuth?: 'basic' | 'post'
      isPairwise: boolean
      device: boolean
      isTrusted: boolean
      /** Self-registered. */
      isRegistered: boolean
      /** Accounts connected to it. */
      users: number
      createdAt: string
      updatedAt: string
      /** Shown once. */
      secret?: string
    }
  }
  /** Change a client, or renew its secret. Master key. */
  updateOidcClient: {
    input: { clientId: string } & {
      /** Shown to people who are asked for consent */
      name?: string
      /** Full https:// addresses, compared exactly. Loopback addresses may be http:// */
      redirectUris?: string[]
      postLogoutRedirectUris?: string[]
      backchannelLogoutUri?: string
      website?: string
      /** Sending of the secret */
      tokenAuth?: 'basic' | 'post'
      /** Gives the client ids of its own for people */
      isPairwise?: boolean
      /** Allows the device flow, for terminals and televisions */
      device?: boolean
      /** An application of your own: people are not asked for consent */
      isTrusted?: boolean
      renewSecret?: boolean
    }
    output: {
      clientId: string
      name: string
      kind: 'web' | 'public'
      redirectUris: string[]
      postLogoutRedirectUris: string[]
      backchannelLogoutUri?: string
      website?: string
      tokenAuth?: 'basic' | 'post'
      isPairwise: boolean
      device: boolean
      isTrusted: boolean
      /** Self-registered. */
      isRegistered: boolean
      /** Accounts connected to it. */
      users: number
      createdAt: string
      updatedAt: string
      /** Shown once. */
      secret?: string
    }
  }
  /** Delete a client and all access that people gave it. Master key. */
  deleteOidcClient: { input: { clientId: string }; output: Record<never, never> }
  /** Sign ID tokens with new keys. The former ones stay published for two days. Master key. */
  rotateSigningKeys: { input: Record<never, never>; output: { keys: { kid: string; alg: string }[] } }
  /** Find objects of a class. */
  findObjects: {
    input: { className: string } & WireFields & {
        /** Conditions by field */
        where?: WireValue
        /** Fields separated by commas; a leading - sorts in descending order */
        order?: string | string[] | null
        limit?: number | string | null
        skip?: number | string | null
        /** 1 adds the total count; estimate (master key) estimates it where counting is expensive */
        count?: boolean | number | string | null
        /** Names separated by commas */
        keys?: string | string[] | null
        /** Names separated by commas */
        excludeKeys?: string | string[] | null
        /** Names separated by commas */
        include?: string | string[] | null
        /** Seconds that the result may be old: read replicas may serve it */
        maxStaleness?: number | string | null
        includeAll?: boolean | number | string | null
        redirectClassNameForKey?: string | null
        hint?: WireValue
        explain?: boolean | number | string | null
        /** true for the first page, then the cursor of the previous page */
        cursor?: boolean | string | null
      }
    output: {
      results: ObjectRecord[]
      count?: number
      /** The count is an estimate */
      isEstimate?: true
      cursor?: string
      className?: string
    }
  }
  /** Create an object. Where allowed, also its class and fields. */
  createObject: {
    input: { className: string } & WireFields
    output: WireFields & { objectId: string; createdAt: string }
  }
  /** Read an object. */
  getObject: {
    input: { className: string; objectId: string } & WireFields & {
        /** Names separated by commas */
        keys?: string | string[] | null
        /** Names separated by commas */
        excludeKeys?: string | string[] | null
        /** Names separated by commas */
        include?: string | string[] | null
        /** Seconds that the result may be old: read replicas may serve it */
        maxStaleness?: number | string | null
      }
    output: ObjectRecord
  }
  /** Change an object. The response has the results of operations. */
  updateObject: {
    input: { className: string; objectId: string } & WireChanges & { ifUpdatedAt?: string }
    output: WireFields & { updatedAt: string }
  }
  /** Delete an object. */
  deleteObject: {
    input: { className: string; objectId: string } & {
      /** Only if the object still has this updatedAt; otherwise 409 with `objectChanged` and the present object */
      ifUpdatedAt?: string
    }
    output: Record<never, never>
  }
  /** Find users. */
  findUsers: {
    input: WireFields & {
      /** Conditions by field */
      where?: WireValue
      /** Fields separated by commas; a leading - sorts in descending order */
      order?: string | string[] | null
      limit?: number | string | null
      skip?: number | string | null
      /** 1 adds the total count; estimate (master key) estimates it where counting is expensive */
      count?: boolean | number | string | null
      /** Names separated by commas */
      keys?: string | string[] | null
      /** Names separated by commas */
      excludeKeys?: string | string[] | null
      /** Names separated by commas */
      include?: string | string[] | null
      /** Seconds that the result may be old: read replicas may serve it */
      maxStaleness?: number | string | null
      includeAll?: boolean | number | string | null
      redirectClassNameForKey?: string | null
      hint?: WireValue
      explain?: boolean | number | string | null
      /** true for the first page, then the cursor of the previous page */
      cursor?: boolean | string | null
    }
    output: {
      results: UserRecord[]
      count?: number
      /** The count is an estimate */
      isEstimate?: true
      cursor?: string
      className?: string
    }
  }
  /** Read a user. */
  getUser: {
    input: { objectId: string } & WireFields & {
        /** Names separated by commas */
        keys?: string | string[] | null
        /** Names separated by commas */
        excludeKeys?: string | string[] | null
        /** Names separated by commas */
        include?: string | string[] | null
        /** Seconds that the result may be old: read replicas may serve it */
        maxStaleness?: number | string | null
      }
    output: UserRecord
  }
  /** Sessions of the user. */
  listSessions: {
    input: WireFields & {
      /** Conditions by field */
      where?: WireValue
      /** Fields separated by commas; a leading - sorts in descending order */
      order?: string | string[] | null
      limit?: number | string | null
      skip?: number | string | null
      /** 1 adds the total count; estimate (master key) estimates it where counting is expensive */
      count?: boolean | number | string | null
      /** Names separated by commas */
      keys?: string | string[] | null
      /** Names separated by commas */
      excludeKeys?: string | string[] | null
      /** Names separated by commas */
      include?: string | string[] | null
      /** Seconds that the result may be old: read replicas may serve it */
      maxStaleness?: number | string | null
      includeAll?: boolean | number | string | null
      redirectClassNameForKey?: string | null
      hint?: WireValue
      explain?: boolean | number | string | null
      /** true for the first page, then the cursor of the previous page */
      cursor?: boolean | string | null
    }
    output: {
      results: SessionRecord[]
      count?: number
      /** The count is an estimate */
      isEstimate?: true
      cursor?: string
      className?: string
    }
  }
  /** One session of the user. */
  getSession: {
    input: { objectId: string } & WireFields & {
        /** Names separated by commas */
        keys?: string | string[] | null
        /** Names separated by commas */
        excludeKeys?: string | string[] | null
        /** Names separated by commas */
        include?: string | string[] | null
        /** Seconds that the result may be old: read replicas may serve it */
        maxStaleness?: number | string | null
      }
    output: SessionRecord
  }
  /** Run several requests; with transaction, all or none. */
  batch: { input: { requests: BatchRequest[]; transaction?: boolean | null }; output: BatchAnswer[] }
  /** Run a function of the application. */
  runFunction: { input: { _function: string } & WireFields; output: { result?: WireValue } }
  /** Register a device, or change a known one. */
  createInstallation: {
    input: WireFields & { installationId?: string | null; deviceToken?: string | null; deviceType?: string | null }
    output:
      | (WireFields & { objectId: string; createdAt: string })
      | (WireFields & { updatedAt: string; objectId: string })
  }
  /** Change a device, except the fields that identify it. */
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
  /** Upload a file: as the body, in a form (multipart/form-data), or as base64 in JSON. */
  uploadFile: {
    input: { name: string } & {
      /** The content, if sent as JSON */
      base64?: string
      /** metadata: any values by name; tags: strings by name; ipfs: true or false */
      fileData?: { metadata?: WireFields; tags?: WireFields; ipfs?: boolean }
    }
    output: { name: string; url: string; ipfs?: string; hash?: string }
  }
  /** Delete a file. Master key. */
  deleteFile: { input: { name: string }; output: Record<never, never> }
  /** All classes with fields, permissions and indexes. Master key. */
  listSchemas: { input: Record<never, never>; output: { results: SchemaRecord[] } }
  /** A class with fields, permissions and indexes. Master key. */
  getSchema: { input: { className: string }; output: SchemaRecord }
  /** Create a class. Master key. */
  createSchema: {
    input: { className: string } & {
      className?: string | null
      fields?: WireFields | null
      classLevelPermissions?: WireValue
      indexes?: WireFields | null
    }
    output: SchemaRecord
  }
  /** Create a class that the body names. Master key. */
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
  /** Drop an empty class. Master key. */
  deleteSchema: { input: { className: string }; output: Record<never, never> }
  /** Delete every object of a class. Master key. */
  purgeClass: { input: { className: string }; output: Record<never, never> }
  /** Apply a schema file, all or nothing. Master key. */
  applySchema: {
    input: { classes: WireFields; dryRun?: boolean; allowDrops?: boolean }
    output: { plan: { text: string; drops: boolean }[]; applied: boolean }
  }
  /** Run a pipeline over a class, or list the distinct values of a field. Master key. */
  aggregate: {
    input: { className: string } & WireFields & {
        pipeline?: WireValue
        distinct?: string
        where?: WireFields
        hint?: WireValue
        explain?: WireValue
        /** Seconds that the result may be old: read replicas may serve it */
        maxStaleness?: number | string | null
      }
    output: { results: WireValue[] }
  }
  /** Send a push notification to the devices that match a query. Master key. */
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
  /** Public key for Web Push subscriptions. */
  getPushKey: { input: Record<never, never>; output: { publicKey: string } }
  /** Token gates, optionally of one `role`. Master key. */
  listTokenGates: { input: { role?: string }; output: { results: TokenGateRecord[] } }
  /** Give a role to holders of a token, for as long as a linked wallet has it. Master key. */
  createTokenGate: {
    input: {
      /** The name of the role */
      role: string
      /** Name or id */
      chain: string | number
      kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
      /** The contract; omit it for the native currency */
      token?: string | null
      /** Token ID; required for ERC-1155, optional for ERC-721 */
      tokenId?: number | string | null
      /** Minimum balance, in the smallest unit; 1 by default */
      amount?: number | string | null
    }
    output: TokenGateRecord
  }
  /** A token gate with its last check and number of members. Master key. */
  getTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  /** Delete a token gate, and the roles that it alone gave. Master key. */
  deleteTokenGate: { input: { objectId: string }; output: Record<never, never> }
  /** Check every wallet for a token gate now. Master key. */
  checkTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  /** Settings of the application. Some need the master key. */
  getConfig: {
    input: Record<never, never>
    output: { params: WireFields; masterKeyOnly?: { [name: string]: boolean } }
  }
  /** Change settings of the application. Master key. */
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
  /** Recent log lines of this server, newest first by default. Master key. */
  listLogLines: {
    input: {
      /** Minimum level; info by default */
      level?: 'debug' | 'verbose' | 'info' | 'warn' | 'error'
      /** Maximum number of lines; 100 by default */
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
  /** Empty list, for legacy dashboards: cloud code is read from files. Master key. */
  listReleases: { input: Record<never, never>; output: WireFields[] }
  /** Check the security of the server's setup. Master key. */
  checkSecurity: { input: Record<never, never>; output: { report: SecurityReport } }
  /** Saved device queries, newest first. Master key. */
  listAudiences: { input: { limit?: number; skip?: number }; output: { results: AudienceRecord[]; showMore: boolean } }
  /** Save a device query. A push names it by `audience_id`. Master key. */
  createAudience: {
    input: { name: string; query: WireFields | string }
    output: { objectId: string; createdAt: string; new_audience: { objectId: string } }
  }
  /** A saved device query. Master key. */
  getAudience: { input: { objectId: string }; output: AudienceRecord }
  /** Change a saved device query. Master key. */
  updateAudience: {
    input: { objectId: string } & { name?: string; query?: WireFields | string }
    output: { updatedAt: string }
  }
  /** Delete a saved device query. Master key. */
  deleteAudience: { input: { objectId: string }; output: Record<never, never> }
  /** This request as the server sees it: address, host, proxy headers. Master key. */
  getConnection: { input: Record<never, never>; output: ConnectionRecord }
  /** Read and drop a body of up to 16 MB, and say how it arrived. The response has a pause of one second. Master key. */
  probeConnection: {
    input: Record<never, never>
    output: {
      /** Bytes */
      size: number
      /** Milliseconds from the head of the request to the end of its body */
      arrival: number
    }
  }
  /** Audit log, newest first. Master key. */
  listAudit: {
    input: {
      /** ID of the last entry of the previous page */
      before?: string
      limit?: string
      actor?: string
      action?: string
      subject?: string
      /** ID or username: entries by this user, also as an operator */
      person?: string
      since?: string
      until?: string
    }
    output: {
      results: AuditRecord[]
      /** Names of the users and roles in the entries, by ID */
      names: { [name: string]: string }
    }
  }
  /** Check that no entry of the audit log was changed, removed, added or moved. Master key. */
  verifyAudit: { input: { anchor?: string }; output: AuditVerdict }
  /** Mails kept because no SMTP server is configured. Master key, or the web application in development. */
  listOutbox: { input: Record<never, never>; output: { results: OutboxMail[] } }
  /** The operator's role, and what the console offers to it. */
  getConsole: { input: Record<never, never>; output: ConsoleRecord }
  /** Become an operator with a one-time link. */
  claimConsole: { input: { token: string }; output: { role: OperatorRole } }
  /** End an impersonation. Browsers return to the operator's session. */
  endImpersonation: { input: Record<never, never>; output: { sessionToken?: string } }
  /** Users, requests, sign-ins, sockets, jobs, database and chains over time. */
  getOverview: { input: { range?: FigureRange }; output: OverviewRecord }
  /** Findings of the checks of `countersign doctor`. Repeated once a minute at most. */
  listFindings: { input: Record<never, never>; output: { results: FindingRecord[] } }
  /** Check the access of a user or guest to a class or object, and name the deciding rule. */
  testAccess: {
    input: {
      /** ID or username of a user; a guest by default */
      user?: string
      className: string
      objectId?: string
      operation: ClassOperation
    }
    output: AccessRecord
  }
  /** Roles by name: top level, below a role, or by text. */
  listConsoleRoles: {
    input: { search?: string; parent?: string; after?: string; limit?: string }
    output: { results: ConsoleRoleRow[]; next?: string }
  }
  /** A role: number of members, roles that hold it, who may read and change it. */
  getConsoleRole: { input: { objectId: string }; output: ConsoleRoleRecord }
  /** Direct members of a role. */
  listRoleMembers: {
    input: { objectId: string } & { search?: string; after?: string; limit?: string }
    output: { results: RoleMemberRecord[]; next?: string }
  }
  /** Stored files by name or owner, newest first. */
  listConsoleFiles: {
    input: { search?: string; after?: string; limit?: string }
    output: { results: ConsoleFileRecord[]; next?: string }
  }
  /** Wallets that pass a token gate. */
  listTokenGateHolders: {
    input: { objectId: string } & { after?: string; limit?: string }
    output: { results: TokenGateHolderRecord[]; next?: string }
  }
  /** Results of sent mails, newest first, without content. */
  listMailLog: {
    input: {
      /** A part of the address */
      search?: string
      outcome?: 'all' | 'sent' | 'failed'
      after?: string
      limit?: string
    }
    output: {
      /** True if emails are sent by SMTP; otherwise they are in the outbox */
      isSending: boolean
      /** How long entries are kept */
      days: number
      results: MailLogRecord[]
      next?: string
    }
  }
  /** Settings with their sources, without secrets. */
  getSettings: { input: Record<never, never>; output: { results: SettingRecord[] } }
  /** Change a setting on all servers, without a restart. */
  setSetting: {
    input: { name: string } & {
      /** As in the configuration file. A password that is left out stays, on the same server */
      value?: WireValue
      /** `edit.version` of the setting that was read. Refused if it was changed since then */
      version?: string
    }
    output: SettingRecord
  }
  /** Return a setting to its default. */
  resetSetting: {
    input: { name: string } & {
      /** `edit.version` of the setting that was read. Refused if it was changed since then */
      version?: string
    }
    output: SettingRecord
  }
  /** Return a setting to its value before the last change. */
  undoSetting: {
    input: { name: string } & {
      /** `edit.version` of the setting that was read. Refused if it was changed since then */
      version?: string
    }
    output: SettingRecord
  }
  /** Send a test email to the operator, with the given SMTP settings or the current ones. */
  sendTestMail: {
    input: {
      /** As in `smtp` */
      smtp?: WireValue
      /** Required with the master key */
      to?: string
    }
    output: { to: string }
  }
  /** Operators with their roles. */
  listOperators: { input: Record<never, never>; output: { results: OperatorRecord[] } }
  /** Make a user an operator, or change an operator's role. */
  setOperator: { input: { objectId: string } & { role: OperatorRole }; output: OperatorRecord }
  /** Remove an operator. */
  removeOperator: { input: { objectId: string }; output: Record<never, never> }
  /** Create a link that makes the first person who opens it an operator, within 24 hours. */
  createOperatorLink: { input: { role?: OperatorRole }; output: { url: string; role: OperatorRole; expiresAt: string } }
  /** Users by name, email address, id or wallet, newest first by default. */
  listConsoleUsers: {
    input: { search?: string; filter?: UserFilter; order?: UserOrder; after?: string; limit?: string }
    output: { results: ConsoleUserRow[]; next?: string }
  }
  /** A user: profile, sign-in methods, sessions, roles, activity and objects. */
  getConsoleUser: { input: { objectId: string }; output: ConsoleUserRecord }
  /** Export everything stored about a user as one JSON text. */
  exportConsoleUser: { input: { objectId: string }; output: WireFields }
  /** Lock an account and end its sessions. */
  disableUser: { input: { objectId: string }; output: { status: UserStatus } }
  /** Unlock an account, with its former access list. */
  enableUser: { input: { objectId: string }; output: { status: UserStatus } }
  /** End all sessions of a user. */
  signOutUser: { input: { objectId: string }; output: { revoked: number } }
  /** End one session of a user. */
  endUserSession: { input: { objectId: string; sessionId: string }; output: Record<never, never> }
  /** Lock an account, to be deleted when the grace period is over. */
  scheduleUserDeletion: { input: { objectId: string }; output: { deletedAt: string } }
  /** Keep an account that an operator scheduled for deletion. */
  undoUserDeletion: { input: { objectId: string }; output: { status: UserStatus } }
  /** Mark a user's email address as verified. */
  verifyUserEmail: { input: { objectId: string }; output: Record<never, never> }
  /** Mail a user a link that sets a new password. */
  sendUserReset: { input: { objectId: string }; output: Record<never, never> }
  /** Open a marked session of a user for at most one hour. */
  impersonateUser: {
    input: { objectId: string }
    output: { user: { objectId: string; username: string }; expiresAt: string; sessionToken?: string }
  }
  /** Delete a user permanently. */
  deleteConsoleUser: { input: { objectId: string }; output: Record<never, never> }
  /** Functions of the application with input and access. */
  listConsoleFunctions: { input: Record<never, never>; output: { results: ConsoleFunctionRecord[] } }
  /** Jobs of the application with schedules and next runs. */
  listConsoleJobs: { input: Record<never, never>; output: { results: ConsoleJobRecord[] } }
  /** Preview a change to a class, as steps and as a schema file. */
  previewSchema: {
    input: {
      className: string
      /** Same format as in updateSchema */
      fields?: WireFields
      /** Same format as in updateSchema */
      indexes?: WireFields
      /** The whole class */
      drop?: boolean
    }
    output: { plan: { text: string; drops: boolean }[]; file: string }
  }
  /** Shapes of slow queries on this server, without values, with a suggested index. */
  listSlowQueries: {
    input: Record<never, never>
    output: {
      since: string
      /** Queries that take longer (milliseconds) are recorded */
      threshold: number
      results: SlowQueryRecord[]
    }
  }
  /** Query plan of a recorded shape. */
  getQueryPlan: { input: { objectId: string }; output: { plan: string } }
  /** Keys by name and origin, without secret values. */
  listKeys: { input: Record<never, never>; output: KeyList }
  /** Create new keys and encrypt everything again. Former keys still work. */
  rotateKeys: {
    input: { confirm: true }
    output: {
      /** Number of re-encrypted values */
      resealed: number
      /** Number of values that could not be decrypted */
      unreadable: number
      /** The new master key, if one was created; only in this response */
      masterKey?: string
    }
  }
  /** Revoke the former keys. */
  retireKeys: {
    input: { confirm: true }
    output: {
      /** Number of re-encrypted values */
      resealed: number
      /** Number of values that could not be decrypted */
      unreadable: number
      /** The new master key, if one was created; only in this response */
      masterKey?: string
    }
  }
  /** Automatic backups, newest first, and their settings. */
  listBackups: { input: Record<never, never>; output: BackupList }
  /** Start a backup to the configured destination. */
  createBackup: { input: Record<never, never>; output: { name: string } }
  /** Check if an address holds the token of a gate, which need not exist. */
  testTokenGate: {
    input: {
      /** Name or id */
      chain: string
      kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
      /** The contract; omit it for the native currency */
      token?: string | null
      /** Token ID; required for ERC-1155, optional for ERC-721 */
      tokenId?: number | string | null
      /** Minimum balance, in the smallest unit; 1 by default */
      amount?: number | string | null
      address: string
    }
    output: {
      isHeld: boolean
      /** Balance at the latest block, in the smallest unit */
      amount: string
      block: number
    }
  }
  /** Chains with nodes, progress and errors. */
  getChainStatus: { input: Record<never, never>; output: { results: ChainStatusRecord[] } }
  /** Successful and failed sign-ins, newest first. */
  listSignIns: {
    input: {
      result?: SignInResult
      method?: SignInLogMethod
      /** ID, username, email address or wallet of a user */
      user?: string
      /** Beginning of the IP address */
      address?: string
      from?: string
      until?: string
      after?: string
      limit?: string
    }
    output: {
      /** How long entries are kept; 0: nothing is recorded */
      days: number
      results: SignInLogRecord[]
      next?: string
    }
  }
  /** Lockouts of names and used-up rate limits, at most 100 of each. */
  listSignInLimits: {
    input: Record<never, never>
    output: { lockouts: SignInLockoutRecord[]; rateLimits: SignInRateLimitRecord[] }
  }
  /** Lift a lockout or a rate limit. */
  liftSignInLimit: {
    input: { limit: string }
    output: {
      /** The user whose lockout was lifted */
      objectId?: string
    }
  }
  /** Saved views of a class. */
  listDataViews: { input: { className: string }; output: { results: DataViewRecord[] } }
  /** Save a view of a class. */
  createDataView: {
    input: {
      className: string
      name: string
      /** Conditions, as in the address of the data browser */
      filter?: string
      order?: string
      /** Columns that are not shown */
      hidden?: string[]
    }
    output: DataViewRecord
  }
  /** Replace the content of a view. */
  updateDataView: {
    input: { objectId: string } & {
      /** Conditions, as in the address of the data browser */
      filter?: string
      order?: string
      /** Columns that are not shown */
      hidden?: string[]
    }
    output: DataViewRecord
  }
  /** Delete a view. */
  deleteDataView: { input: { objectId: string }; output: Record<never, never> }
  /** Classes and columns for SQL queries. */
  getSqlTables: { input: Record<never, never>; output: { results: SqlTableRecord[]; mostRows: number } }
  /** Run a SQL query that only reads. The audit log records its text. */
  runSql: {
    input: { query: string }
    output: {
      columns: { name: string; type: 'number' | 'text' | 'date' | 'boolean' | 'json' }[]
      rows: WireValue[][]
      /** True if rows were left out because of the limits. */
      isMore: boolean
      milliseconds: number
    }
  }
  /** Saved SQL queries. */
  listSavedQueries: { input: Record<never, never>; output: { results: SavedQueryRecord[] } }
  /** Save a SQL query. */
  createSavedQuery: { input: { name: string; query: string; chart?: boolean }; output: SavedQueryRecord }
  /** Replace the text of a saved SQL query. */
  updateSavedQuery: { input: { objectId: string } & { query: string; chart?: boolean }; output: SavedQueryRecord }
  /** Delete a saved SQL query. */
  deleteSavedQuery: { input: { objectId: string }; output: Record<never, never> }
  /** Start a job. X-Parse-Job-Status-Id names its status, an object of _JobStatus. Master key. */
  startJob: { input: { jobName: string } & WireFields; output: Record<never, never> }
  /** Start a job that the parameters name. Master key. */
  startNamedJob: { input: WireFields & { jobName: string }; output: Record<never, never> }
  /** Schedules created by API. Master key. */
  listSchedules: { input: Record<never, never>; output: WireFields[] }
  /** Names of all jobs, and of scheduled ones. Master key. */
  listJobs: { input: Record<never, never>; output: { in_use: string[]; jobs: string[] } }
  /** Schedule a job. Master key. */
  createSchedule: {
    input: {
      jobName?: string
      description?: string | null
      /** The parameters of the job, or the JSON of them */
      params?: WireFields | string | null
      /** Five fields, or six with seconds in front */
      cron?: string | null
      /** Time zone of cron; UTC by default */
      timeZone?: string | null
      /** First run, without cron */
      startAfter?: string | null
      timeOfDay?: string | null
      daysOfWeek?: (string | number | boolean)[] | null
      /** Minutes between runs, without cron */
      repeatMinutes?: number | null
      job_schedule?: {
        jobName?: string
        description?: string | null
        /** The parameters of the job, or the JSON of them */
        params?: WireFields | string | null
        /** Five fields, or six with seconds in front */
        cron?: string | null
        /** Time zone of cron; UTC by default */
        timeZone?: string | null
        /** First run, without cron */
        startAfter?: string | null
        timeOfDay?: string | null
        daysOfWeek?: (string | number | boolean)[] | null
        /** Minutes between runs, without cron */
        repeatMinutes?: number | null
      }
    }
    output: WireFields
  }
  /** Change the given fields of a schedule. null clears one. Master key. */
  updateSchedule: {
    input: { objectId: string } & {
      jobName?: string
      description?: string | null
      /** The parameters of the job, or the JSON of them */
      params?: WireFields | string | null
      /** Five fields, or six with seconds in front */
      cron?: string | null
      /** Time zone of cron; UTC by default */
      timeZone?: string | null
      /** First run, without cron */
      startAfter?: string | null
      timeOfDay?: string | null
      daysOfWeek?: (string | number | boolean)[] | null
      /** Minutes between runs, without cron */
      repeatMinutes?: number | null
      job_schedule?: {
        jobName?: string
        description?: string | null
        /** The parameters of the job, or the JSON of them */
        params?: WireFields | string | null
        /** Five fields, or six with seconds in front */
        cron?: string | null
        /** Time zone of cron; UTC by default */
        timeZone?: string | null
        /** First run, without cron */
        startAfter?: string | null
        timeOfDay?: string | null
        daysOfWeek?: (string | number | boolean)[] | null
        /** Minutes between runs, without cron */
        repeatMinutes?: number | null
      }
    }
    output: WireFields
  }
  /** Delete a schedule. Master key. */
  deleteSchedule: { input: { objectId: string }; output: Record<never, never> }
  /** Webhooks. Master key. */
  listWebhooks: { input: Record<never, never>; output: { results: WebhookRecord[] } }
  /** Create a webhook. The response has the secret that signs its events. Master key. */
  createWebhook: {
    input: {
      /** Target of the events: an https:// address */
      url: string
      /** Such as object.created, object.updated, object.deleted, user.signUp */
      events: string[]
      /** Only objects of this class; all classes by default */
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
      /** Absent: all classes. */
      classes?: string[]
      description?: string
      enabled: boolean
      secret: string
    }
  }
  /** A webhook. Master key. */
  getWebhook: { input: { objectId: string }; output: WebhookRecord }
  /** Change a webhook, or renew its secret. Master key. */
  updateWebhook: {
    input: { objectId: string } & {
      /** Target of the events: an https:// address */
      url?: string
      /** Such as object.created, object.updated, object.deleted, user.signUp */
      events?: string[]
      /** Only objects of this class; all classes by default */
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
      /** Absent: all classes. */
      classes?: string[]
      description?: string
      enabled: boolean
      secret?: string
    }
  }
  /** Delete a webhook and its log. Master key. */
  deleteWebhook: { input: { objectId: string }; output: Record<never, never> }
  /** Send a test event. Master key. */
  testWebhook: { input: { objectId: string } & WireFields; output: { objectId: string } }
  /** Deliveries of a webhook with their results, newest first. Master key. */
  listDeliveries: {
    input: { objectId: string } & { before?: string; status?: string; limit?: number }
    output: { results: DeliveryRecord[] }
  }
  /** Send an event again. Master key. */
  resendDelivery: { input: { objectId: string; deliveryId: string }; output: { objectId: string } }
  /** Contract events that become objects, with progress. Master key. */
  listSyncs: { input: Record<never, never>; output: { results: SyncRecord[] } }
  /** Store a contract event as objects of a class. Replaces a sync of the same name. Master key. */
  createSync: {
    input: WireFields & {
      /** The chain: its name or id */
      chain: number | string
    }
    output: SyncRecord
  }
  /** Stop a sync. Its rows stay. Master key. */
  deleteSync: { input: { chain: string; name: string }; output: Record<never, never> }
  /** Remove the rows of a sync and read them again. Master key. */
  replaySync: { input: { chain: string; name: string }; output: SyncRecord }
  /** Computed states with progress. Master key. */
  listStates: { input: Record<never, never>; output: { results: StateRecord[] } }
  /** Remove the documents of a state and compute them again. Master key. */
  replayState: { input: { name: string }; output: StateRecord }
  /** Functions that run on another server. Master key. */
  listRemoteFunctions: { input: Record<never, never>; output: RemoteFunctionRecord[] }
  /** Register a function that runs on another server. Master key. */
  createRemoteFunction: {
    input: { functionName: string; url: string }
    output: { functionName: string; url: string; warning?: string }
  }
  /** URL of a remote function. Master key. */
  getRemoteFunction: { input: { functionName: string }; output: RemoteFunctionRecord }
  /** Change the URL of a remote function. Master key. */
  updateRemoteFunction: {
    input: { functionName: string } & { url?: string; __op?: WireValue }
    output: RemoteFunctionRecord | Record<never, never>
  }
  /** Delete a remote function. Master key. */
  deleteRemoteFunction: { input: { functionName: string }; output: Record<never, never> }
  /** Hooks that run on another server. Master key. */
  listRemoteHooks: { input: Record<never, never>; output: RemoteHookRecord[] }
  /** Register a hook that runs on another server. Master key. */
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
  /** Remote hooks of a class. Master key. */
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
  /** Change the URL of a remote hook. Master key. */
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
  /** Delete a remote hook. Master key. */
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
  /** Chains of this server, with head and index. */
  listChains: { input: Record<never, never>; output: { results: ChainRecord[] } }
  /** A chain, with its head and the progress of its index. */
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
  /** The newest block at or before a date. */
  getBlockByDate: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      /** A date: ISO text, or seconds or milliseconds since 1970 */
      date: number | string
    }
    output: ChainAnswer<ChainBlockRef>
  }
  /** A transaction with its logs. Known calls and events are decoded. */
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
      /** List separated by commas; at most 100 */
      addresses?: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<{ address: string; balance: string }[]>
  }
  /** ERC-20 balances of an address: of given tokens, or of all indexed ones. */
  listTokenBalances: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** List separated by commas; at most 100 */
      tokens?: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<TokenBalanceRecord[]>
  }
  /** NFTs of an address. */
  listNfts: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
      /** List separated by commas; at most 100 */
      tokens?: string
    }
    output: ChainPage<NftHoldingRecord>
  }
  /** Token and NFT transfers from or to an address, newest first. */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
      /** erc20, erc721, erc1155 */
      kind?: string
      direction?: 'both' | 'from' | 'to'
      token?: string
    }
    output: ChainPage<TransferRecord>
  }
  /** Transactions of an address, newest first. */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<TransactionRecord>
  }
  /** NFT contracts of which an address holds tokens. */
  listCollections: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<CollectionRecord>
  }
  /** Name and avatar of an address, if the name resolves back to it. */
  getNameOf: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    }
    output: ChainAnswer<{ name: string; avatar?: AvatarRecord }>
  }
  /** Names of addresses, without those that have none. */
  listNames: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** List separated by commas; at most 100 */
      addresses?: string
    }
    output: ChainAnswer<{ address: string; name: string }[]>
  }
  /** Address of a name. */
  resolveName: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      name: string | number
    }
    output: ChainAnswer<{ name: string; address: string }>
  }
  /** Avatar of a name, fetched by the server. */
  getNamePicture: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      name: string | number
    }
    output: ChainAnswer<PictureRecord>
  }
  /** Name, symbol and decimals of tokens: by address from the chain, by symbol from those seen before. */
  listTokens: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** List separated by commas; at most 100 */
      addresses?: string
      /** List separated by commas; at most 100 */
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
  /** Price of a token in the deepest pool on the chain; 101 if there is none. */
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
  /** Prices of the native currency and of tokens in pools on the chain, now and 24 hours ago. */
  listPriceChanges: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      /** List separated by commas; at most 100 */
      tokens?: string
    }
    output: ChainAnswer<PriceChangeRecord[]>
  }
  /** Allowance of a spender for an owner's token. */
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
  /** Transfers of an ERC-20 token, newest first. */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
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
  /** Token ids of an NFT contract that have a holder. */
  listTokenIds: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
    } & {
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<{
      token: string
      tokenId: string
      kind: 'erc721' | 'erc1155'
      name?: string
      symbol?: string
      uri?: string
      /** Content of `uri`, if already fetched. */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<NftHoldingRecord>
  }
  /** Transfers of a contract's NFTs, newest first. */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<TransferRecord>
  }
  /** An NFT, read from its contract: owner (ERC-721) and metadata URI. */
  getNft: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** Token ID of an NFT, decimal or hex */
      id: number | string
    }
    output: ChainAnswer<{
      token: string
      tokenId: string
      kind: 'erc721' | 'erc1155'
      name?: string
      symbol?: string
      uri?: string
      /** Content of `uri`, if already fetched. */
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
  /** Image of an NFT with known metadata, fetched by the server. */
  getNftPicture: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** Token ID of an NFT, decimal or hex */
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
      /** Token ID of an NFT, decimal or hex */
      id: number | string
    } & {
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<NftHoldingRecord>
  }
  /** Transfers of an NFT, newest first. */
  listNftTransfersOfId: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      token: string
      /** Token ID of an NFT, decimal or hex */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
    }
    output: ChainPage<TransferRecord>
  }
  /** Logs by contract and topics, read from the node. */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
      address?: string
      /** Up to four topics separated by commas; an empty one matches any */
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
  /** Call a contract function without a transaction. */
  callContract: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
    } & {
      address: string
      /** The JSON of a contract */
      abi: unknown
      /** Its name, or its signature if several functions share the name */
      function: string | number
      /** By name or in order */
      params?: unknown
      from?: string
      /** The number of a block, or latest */
      block?: 'latest' | number | string
    }
    output: ChainAnswer<unknown>
  }
  /** Follow a transaction of the user. Its state is written to a document. */
  followTransaction: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      hash: string
    } & {
      /** Custom fields to store with it */
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
      /** Rows per page; at most 500 */
      limit?: number | string
      /** Cursor of the previous page */
      cursor?: string
      /** Rows to skip; a cursor is faster */
      offset?: number | string
      address: string
      /** The JSON of a contract */
      abi: unknown
      event?: string | number
    }
    output: ChainPage<LogRecord>
  }
  /** Value history of an address: balances and pool prices at about 24 blocks. Needs an archive node. */
  getValueHistory: {
    input: {
      /** Name, alias, decimal or hex id of a chain */
      chain: string | number
      address: string
    } & {
      /** Number of days; 30 by default */
      days?: string | number
    }
    output: ChainAnswer<ValueHistoryRecord>
  }
  /** Assets of an address by chain: native currency, tokens with known prices, NFTs. */
  getPortfolio: {
    input: { address: string } & {
      /** Names or ids of chains; by default all chains with nodes of the operator */
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
  createAccessToken: 'hiddenCharacters' | 'invalidScope' | 'tooManyTokens' | 'reauthenticationRequired'
  revokeAccessToken: 'objectNotFound'
  getAccessToken: 'invalidSessionToken'
  createService: 'serviceNameTaken' | 'objectNotFound' | 'tooManyTokens'
  updateService: 'objectNotFound'
  deleteService: 'objectNotFound'
  createAccessKey: 'hiddenCharacters' | 'invalidScope' | 'tooManyTokens' | 'objectNotFound'
  rotateAccessKey: 'objectNotFound'
  revokeAccessKey: 'objectNotFound'
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
  getAuthorizationRequest: 'authorizationRequestExpired'
  answerAuthorizationRequest: 'authorizationRequestExpired' | 'reauthenticationRequired'
  disconnectApp: 'objectNotFound'
  createOidcClient: 'hiddenCharacters' | 'invalidRedirectUri'
  updateOidcClient: 'hiddenCharacters' | 'invalidRedirectUri' | 'objectNotFound'
  deleteOidcClient: 'objectNotFound'
  updateObject: 'objectChanged'
  deleteObject: 'objectChanged'
  updateSchema: 'permissionsChanged'
  createTokenGate: 'nodeUnavailable'
  checkTokenGate: 'nodeUnavailable'
  claimConsole: 'operatorLinkExpired'
  setSetting: 'settingInvalid' | 'settingFixed' | 'settingLocksOut' | 'settingChanged'
  resetSetting: 'settingInvalid' | 'settingFixed' | 'settingLocksOut' | 'settingChanged'
  undoSetting: 'settingInvalid' | 'settingFixed' | 'settingLocksOut' | 'settingChanged'
  sendTestMail: 'settingInvalid' | 'testMailFailed'
  setOperator: 'lastAdmin'
  removeOperator: 'lastAdmin'
  endUserSession: 'objectNotFound' | 'operatorForbidden'
  scheduleUserDeletion: 'objectNotFound' | 'operatorForbidden'
  undoUserDeletion: 'objectNotFound' | 'operatorForbidden'
  createBackup: 'backupNotSet' | 'backupUnderWay'
  testTokenGate: 'nodeUnavailable'
  createDataView: 'viewNameTaken'
  runSql: 'sqlRefused' | 'serverBusy'
  createSavedQuery: 'queryNameTaken'
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
  listNames: 'nodeUnavailable'
  resolveName: 'nodeUnavailable'
  getNamePicture: 'nodeUnavailable'
  listTokens: 'nodeUnavailable'
  getToken: 'nodeUnavailable'
  getTokenPrice: 'nodeUnavailable'
  listPriceChanges: 'nodeUnavailable'
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
