import type { ActivityRecord, SessionRecord, SignInMethods } from './records.ts'
import type { WireFields } from './values.ts'

/** What an operator may do in the console: everything; help users; look at everything. */
export type OperatorRole = 'admin' | 'support' | 'viewer'

/** The parts of the console. Which of them an operator gets to see depends on the role. */
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

/** Who asks, and what the console offers to them. */
export type ConsoleRecord = {
  role: OperatorRole
  areas: ConsoleArea[]
  appName: string
  version: string
  production: boolean
}

export type FigureRange = 'hour' | 'day' | 'week' | 'month'

/** What happened in one stretch of time. */
export type FigureRecord = {
  /** Its beginning. */
  at: string
  requests: number
  /** Answered with a status of 400 and above. */
  refused: number
  /** Of these, answered with 500 and above. */
  failed: number
  /** Milliseconds within which half, and 95 of a hundred requests were answered; absent where there was none. */
  median?: number
  p95?: number
  signUps: number
  /** By sign-in method. */
  signIns: { [method: string]: number }
  /** The most that were open at once. */
  sockets: number
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

export type UserStatus = 'active' | 'disabled' | 'deleting'

export type UserFilter = 'all' | 'disabled' | 'deleting' | 'unverified' | 'guests' | 'operators'

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

/** One user, as operators see them. */
export type ConsoleUserRecord = ConsoleUserRow & {
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

export type ConsoleRoleRecord = ConsoleRoleRow & {
  createdAt: string
  /** Roles that its members hold because of it. */
  parents: { objectId: string; name: string }[]
  /** Entries of its access list. */
  readers: string[]
  writers: string[]
}

export type RoleMemberRecord = { objectId: string; username: string; email?: string; isGated: boolean }

type Person = { objectId: string; username?: string }

export type ConsoleFileRecord = {
  name: string
  type: string
  size: number
  store: string
  url: string
  createdAt: string
  ipfs?: string
  /** Who uploaded it, where a user did. */
  owner?: Person
}

/** A wallet that passes a token gate, with what it held when it was last looked at. */
export type TokenGateHolderRecord = { address: string; amount: string; seenAt: string; user: Person }

export type OperatorRecord = {
  objectId: string
  username: string
  email?: string
  role: OperatorRole
  since: string
  secondFactor: boolean
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
  /** How the user comes to hold the role of the entry, from the role that lists the user on. */
  path?: string[]
  /** What the rule holds, as far as it is of use: entries of a list, names of fields. */
  holds?: string[]
}

/** Whether a user may do something, and what decided it. */
export type AccessRecord = {
  isAllowed: boolean
  /** Whether the object is there. Absent where none was named. */
  isFound?: boolean
  roles: { name: string; path: string[] }[]
  steps: AccessStep[]
}

/** A setting as it holds, with the place that it comes from. */
export type SettingRecord = {
  name: string
  source: 'default' | 'file' | 'environment' | 'commandLine'
  /** What it is set to; absent where it may hold a secret. */
  value?: string
  isSecret: boolean
  isSet: boolean
}

/** A function of the application. `input` is a JSON Schema, where the code declares one. */
export type ConsoleFunctionRecord = {
  name: string
  input?: WireFields
  /** `user`, `master`, or `role:` with the name of a role. */
  requires: string[]
  isRemote: boolean
}

/** When a job runs. Those without an id stand in the code of the job. */
export type ConsoleScheduleRecord = {
  objectId?: string
  cron?: string
  timeZone?: string
  startAfter?: string
  repeatMinutes?: number
  next?: string
  error?: string
}

export type ConsoleJobRecord = { name: string; schedules: ConsoleScheduleRecord[] }

/** Queries of one shape that took long on the server that answers. Without any value. */
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
  /** As the schema API takes it; absent where one that is there serves, or none would. */
  index?: { name: string; fields: { [field: string]: 1 | -1 | 'text' } }
}

/** What a mail is about. `application`: one of the application's own code. */
export type MailKind =
  | 'verification'
  | 'passwordReset'
  | 'signInCode'
  | 'newDevice'
  | 'accountChanged'
  | 'emailChanged'
  | 'application'

/** A mail that was given to the SMTP server. Never what it says. */
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

/** A node as operators see it: the host alone, since path and query may hold keys. */
export type NodeRecord = {
  host: string
  status: 'ready' | 'resting' | 'unused'
  requests: number
  failures: number
  requestsPerSecond: number
  latency?: number
  lastError?: string
}

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

/** A backup that the server made by itself; without `finished` and `error` it is under way, or was given up. */
export type BackupRecord = {
  name: string
  place: string
  started: string
  finished?: string
  bytes?: number
  sha256?: string
  error?: string
}

export type BackupList = {
  /** Whether the configuration says where backups go. */
  isSet: boolean
  every?: number
  keep?: number
  isEncrypted: boolean
  results: BackupRecord[]
}

/** The keys of the application. Secret ones have no value here. */
export type KeyList = {
  /** Former keys still hold. */
  isRotating: boolean
  results: {
    name: 'appId' | 'javascriptKey' | 'masterKey' | 'secret'
    source: 'made' | 'configuration'
    value?: string
    hasFormer: boolean
  }[]
}
