import type { Acl, WireDate, WireFields, WirePointer, WireValue } from './values.ts'

/** A user as the server answers it. Fields of the application's own come along as they are. */
export type UserRecord = WireFields & {
  objectId: string
  createdAt: string
  updatedAt: string
  username: string
} & {
  email?: string
  emailVerified?: boolean
  ACL?: Acl
  /** Only in answers to the user itself, and never where the session lives in a cookie. */
  sessionToken?: string
}

/** How a session came to be. */
export type CreatedWith = { action: 'signup' | 'login' | 'create' | 'upgrade'; authProvider?: string }

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
  /** What was signed to open it: message and signature, for its owner to verify. */
  proof?: { message: string; signature: string }
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
  /** A contract account that was not deployed when it was last proven: it opens no gate, and nothing can be added to it. */
  provisional?: true
  label?: string
  primary: boolean
  linkedAt: string
  lastUsedAt: string
}

/** What a wallet is asked to sign. */
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

/** What a signature is for. */
export type ChallengePurpose = 'signIn' | 'link' | 'merge' | 'stepUp'

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

/** What the server tells its own web application at run time (D4). */
export type RuntimeConfig = {
  appId: string
  serverUrl: string
  javascriptKey?: string
  appName: string
  /** The outbox can be read in the app: development, no SMTP server. */
  outbox: boolean
  verifyUserEmails: boolean
  passwordMinLength: number
  /** Seconds in which a deleted account can be restored by its owner; 0: it is gone at once. */
  accountDeletionGrace: number
  /** The demo wallet may be offered: the server is not in production (D9). */
  demoWallet: boolean
  brand: BrandRecord
}

/** What an operator has set about the look and the words of the web application; its colours stand in /brand.css. */
export type BrandRecord = {
  /** Paths on the page's own origin. */
  logo?: string
  logoDark?: string
  tagline?: string
  intro?: string
  signInTitle?: string
  footer?: string
  termsUrl?: string
  privacyUrl?: string
  supportUrl?: string
}

/** A passkey of the user. */
export type PasskeyRecord = {
  objectId: string
  name: string
  createdAt: string
  lastUsedAt?: string
  backedUp: boolean
}

/** Every way in that an account has. The last one cannot be taken away. */
export type WaysIn = { password: boolean; wallets: WalletRecord[]; passkeys: PasskeyRecord[] }

/** What an owner sees of the safeguards of the account. */
export type AccountSecurity = {
  recoveryCodes: { left: number; made: number; createdAt?: string }
  /** Whether a sign-in from a device that was not here before is told by mail. */
  signInAlerts: boolean
}

/** What a merge would move from the other account into this one. Nothing has moved yet. */
export type MergePreview = {
  objectId: string
  /** Until when it can be carried out. */
  expiresAt: string
  from: { objectId: string; username: string }
  into: { objectId: string; username: string }
  wallets: WalletRecord[]
  passkeys: PasskeyRecord[]
  /** Fields of the other account that this one lacks and will get. */
  fields: string[]
  /** Fields that both have: this account's stay. */
  kept: string[]
  sessionsEnded: number
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

/** An object of a class as the server answers it. */
export type ObjectRecord = WireFields & { objectId: string; createdAt: string; updatedAt: string } & { ACL?: Acl }

export type BatchRequest = { method: 'POST' | 'PUT' | 'DELETE' | 'GET'; path: string; body?: WireFields }
export type BatchAnswer = { success: WireFields } | { error: { code: number; error: string; reason?: string } }

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
}

/** A class in the schema API. */
export type SchemaRecord = {
  className: string
  fields: { [name: string]: FieldRecord }
  classLevelPermissions: ClassPermissions
  indexes?: { [name: string]: WireFields }
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
export type GateRecord = {
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
