import type { PrivateKeyAccount } from 'viem/accounts'
import type { Answer, TestServer } from '../createTestServer.ts'
import type { Authenticator, RegistrationOptions } from './createAuthenticator.ts'

export type Person = {
  objectId: string
  username: string
  email: string
  password: string
  /** The session in which things happen, and one elsewhere. */
  token: string
  otherToken: string
  here: string
  elsewhere: string
  wallet: PrivateKeyAccount
  walletId: string
  /** Paths below `/auth` of what can be restored. */
  setAside: string[]
  passkey: Authenticator
  passkeyId: string
  guestId: string
  socialId: string
  codes: string[]
  challenge: { message: string; signature: string }
  registration: RegistrationOptions
  verificationToken: string
  resetToken: string
  undoToken: string
  /** Of the mail about a wallet that was added last. */
  recoveryToken: string
  /** A code that was mailed to a browser elsewhere. */
  mailed: { handle: string; code: string; from: string }
  deviceCookie: string
  /** A personal token with the scope account:read. */
  accessToken: string
}

export type People = {
  serverOf: () => TestServer
  /** Calls an endpoint from a browser of its own, unless `from` names one. */
  call(method: string, path: string, body?: object, token?: string, from?: string): Promise<Answer>
}

/** Options of a call from a browser, in a session. */
export const asking = (token: string, from: string) => ({ token, headers: { 'X-Parse-Installation-Id': from } })

/** Headers of a page that keeps its session in a cookie. */
export const page = (cookie = '') => ({ 'X-Countersign-Session': 'cookie', ...(cookie && { Cookie: cookie }) })

/** Returns true for a response of this account: an unlinked wallet opens a new one. */
export const opened = ({ status, body }: Answer, { objectId }: Person) => status < 300 && body.objectId === objectId
