import type { Acl, WireDate, WireFields, WirePointer } from './values.ts'

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
}

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
}
