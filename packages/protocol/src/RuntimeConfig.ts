import type { ProviderRecord, SignInOptions } from './generated/endpointTypes.ts'

/** Runtime configuration of the server's own web application. */
export type RuntimeConfig = {
  appId: string
  serverUrl: string
  javascriptKey?: string
  appName: string
  /** The outbox can be read in the app: development, no SMTP server. */
  outbox: boolean
  verifyUserEmails: boolean
  /** Further sign-in methods, such as Google. Absent if there are none. */
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
  /** Local chains that the demo wallet sends on, with the addresses of their nodes. The first is the one it starts on. */
  demoChains?: { id: number; rpcUrls: string[] }[]
  brand: BrandRecord
}

/** One text for everybody, or one for each language, such as `{ en: 'Welcome', de: 'Willkommen' }`. */
export type BrandText = string | { [language: string]: string }

/** Logo, name and texts set by the operator. Colors are in /brand.css. */
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
