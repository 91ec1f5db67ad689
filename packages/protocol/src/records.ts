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
  /** Came over from another server by an import, and was not proven here yet: it opens no gate until it is. */
  imported?: true
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
export type ChallengePurpose = 'signIn' | 'link' | 'merge' | 'reauthenticate'

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

/** What the server tells its own web application at run time. */
export type RuntimeConfig = {
  appId: string
  serverUrl: string
  javascriptKey?: string
  appName: string
  /** The outbox can be read in the app: development, no SMTP server. */
  outbox: boolean
  verifyUserEmails: boolean
  /** What people can sign in with besides, such as Google; absent where there is none. */
  providers?: ProviderRecord[]
  /** A code by email signs in, and makes accounts where `signUp` says so. */
  emailCode?: { signUp: boolean }
  passwordMinLength: number
  /** The sign-in methods that are on, in their order, and who may sign up. */
  signIn: Pick<SignInOptions, 'methods' | 'signUp'>
  /** Browsers can subscribe to push notifications. */
  push?: true
  /** The server shows its documentation at /docs. */
  docs?: true
  /** Seconds in which a deleted account can be restored by its owner; 0: it is gone at once. */
  accountDeletionGrace: number
  /** The demo wallet may be offered: the server is not in production. */
  demoWallet: boolean
  brand: BrandRecord
}

/** One text for everybody, or one for each language, such as `{ en: 'Welcome', de: 'Willkommen' }`. */
export type BrandText = string | { [language: string]: string }

/** What an operator has set about the look and the words of the web application; its colors stand in /brand.css. */
export type BrandRecord = {
  /** Paths on the page's own origin. */
  logo?: string
  logoDark?: string
  tagline?: BrandText
  intro?: BrandText
  signInTitle?: BrandText
  footer?: BrandText
  termsUrl?: BrandText
  privacyUrl?: BrandText
  supportUrl?: BrandText
}

/** What a server offers people to sign in with, in its order, and who may sign up. */
export type SignInOptions = {
  methods: ('wallet' | 'passkey' | 'provider' | 'emailCode' | 'password')[]
  providers: ProviderRecord[]
  emailCode?: { signUp: boolean }
  password?: { minLength: number }
  signUp: { mode: 'open' | 'invitation' | 'closed'; emailDomains?: string[] }
}

/** An invitation to sign up. Its link is answered once, when it is made. */
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

/** A passkey of the user. */
export type PasskeyRecord = {
  objectId: string
  name: string
  createdAt: string
  lastUsedAt?: string
  backedUp: boolean
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
  /** When each of those that are not listed one by one was last used; absent where none was. */
  lastUses?: { method: 'password' | 'emailCode' | 'anonymous'; lastUsedAt: string }[]
}

/** Who the owner of an account is to a provider of the operator's own. */
export type IdentityRecord = {
  provider: string
  /** Absent where the provider only confirms another sign-in method. */
  id?: string
  /** What people call the provider, where it is one of OpenID Connect or OAuth 2. */
  name?: string
  /** What the account is known by there: an address or a name. */
  label?: string
  additional?: true
  /** Nobody has signed in by it here since it was imported. */
  imported?: true
  linkedAt?: string
  lastUsedAt?: string
}

/** A provider of OpenID Connect or OAuth 2 that people can sign in with in the browser. */
export type ProviderRecord = {
  name: string
  /** What its button says. */
  label: string
  /** `oidc`, or which of the well-known ones it is. */
  kind: string
}

/** What a provider wrote into the address that it sent the browser back to. */
export type ProviderResponse = { state: string; code?: string; iss?: string; error?: string }

/** What an owner sees of the safeguards of the account. */
export type AccountSecurity = {
  recoveryCodes: { left: number; made: number; createdAt?: string; lastUsedAt?: string }
  /** Whether a sign-in from a new device sends an email. */
  signInAlerts: boolean
}

/** What an account asks for after the first proof of a sign-in. */
export type SecondFactorRecord = {
  /** A code of an authenticator app. */
  totp: boolean
  /** A passkey, also in the place of the code. */
  passkey: boolean
  /** The operator demands one of this account. */
  required: boolean
  /** Browsers in which it is not asked for. */
  rememberedDevices: number
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
  /** Absent where there are none. */
  identities?: IdentityRecord[]
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
