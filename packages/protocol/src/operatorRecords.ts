import type { Acl, WireFields, WireValue } from './values.ts'

/** A field of a class in the schema API. Pointers and relations name the class that they lead to. */
export type FieldRecord = { type: string; targetClass?: string; required?: boolean; defaultValue?: WireValue }

/** Who may do what with a class: `*`, `requiresAuthentication`, a user id or `role:<name>` for each operation. */
export type ClassOperation = 'find' | 'get' | 'count' | 'create' | 'update' | 'delete' | 'addField'
export type ClassPermissions = {
  [operation in ClassOperation]?: { [entity: string]: true | string[] }
} & {
  readUserFields?: string[]
  writeUserFields?: string[]
  protectedFields?: { [entity: string]: string[] }
  /** The access list of new objects that come without one. `currentUser` is the user who creates the object. */
  ACL?: Acl
}

/** A class in the schema API. */
export type SchemaRecord = {
  className: string
  fields: { [name: string]: FieldRecord }
  classLevelPermissions: ClassPermissions
  indexes?: { [name: string]: WireFields }
}

/** An event of contracts that becomes objects of a class. */
export type SyncRecord = {
  name: string
  chain: number
  class: string
  /** Whether it stands in the configuration, or was made by a request. */
  origin: 'config' | 'stored'
  status: 'SYNCED' | 'SYNCING'
  /** Blocks that are still to be read for it. */
  blocksLeft: number
  startBlock?: number
  /** Contracts that its factory made. */
  children?: number
  error?: string
  definition: WireFields
}

/** Documents that code of the application keeps from events of contracts. */
export type StateRecord = {
  name: string
  chain: number
  events: string[]
  classes: string[]
  version: number
  status: 'SYNCED' | 'SYNCING'
  /** Events up to this block have been handled. */
  block: number
  error?: string
}

/** Who is notified of events. */
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

/** What was sent to a webhook, and with which result. */
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

/** A function or a hook of the application that runs elsewhere. */
export type RemoteFunctionRecord = { functionName: string; url: string }
export type RemoteHookRecord = { className: string; triggerName: string; url: string }

/** How the server sees the request that asks. */
export type ConnectionRecord = {
  address: string
  /** Whether a proxy that is trusted said who is calling. */
  isForwarded: boolean
  host: string
  forwardedFor?: string
  forwardedProto?: string
  forwardedHost?: string
  time: string
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
  /** Its place in the chain, and the hash that holds it and all before it; a moment after it was written. */
  position?: number
  hash?: string
}

/** Whether the audit log is whole. */
export type AuditVerdict = {
  isIntact: boolean
  entries: number
  /** Entries that are not in the chain yet. */
  pending: number
  /** The end of the chain, as an anchor to keep elsewhere. */
  head?: string
  faults: string[]
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

/** Whether a server is set up as safely as it can be, in the form of parse-server's security checks. */
export type SecurityReport = {
  version: string
  state: 'success' | 'fail'
  groups: {
    name: string
    state: 'success' | 'fail'
    checks: { title: string; state: 'success' | 'fail'; warning?: string; solution?: string }[]
  }[]
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
