import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisObject } from './MoralisObject.ts'

export interface MoralisUser<T extends Attributes = Attributes> extends MoralisObject<T> {
  getUsername(): string | undefined
  setUsername(username: string): boolean
  getEmail(): string | undefined
  setEmail(email: string): boolean
  setPassword(password: string): boolean
  /** Empty if the session is in a cookie, which scripts cannot read. */
  getSessionToken(): string
  authenticated(): boolean
  isCurrent(): boolean
  signUp(values?: Attributes | null, options?: object): Promise<this>
  logIn(options?: object): Promise<this>
}

export interface MoralisUserClass {
  new <T extends Attributes = Attributes>(values?: Partial<T>): MoralisUser<T>
  extend(methods?: Attributes, statics?: Attributes): Loose
  createWithoutData(id: string): MoralisUser
  current<T extends MoralisUser = MoralisUser>(): T | null
  currentAsync<T extends MoralisUser = MoralisUser>(): Promise<T | null>
  signUp(username: string, password: string, values?: Attributes, options?: object): Promise<MoralisUser>
  logIn(username: string, password: string, options?: { usePost?: boolean }): Promise<MoralisUser>
  logOut(options?: object): Promise<void>
  requestPasswordReset(email: string): Promise<void>
  requestEmailVerification(email: string): Promise<void>
}
