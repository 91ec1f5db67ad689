import { CountersignError } from '@countersign/protocol'
import { getUser } from '../../core/actions/getUser.ts'
import { logIn } from '../../core/actions/logIn.ts'
import { logOut } from '../../core/actions/logOut.ts'
import { refetchUser } from '../../core/actions/refetchUser.ts'
import { saveUser } from '../../core/actions/saveUser.ts'
import { signUp } from '../../core/actions/signUp.ts'
import type { User } from '../../core/User.ts'
import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisObjectClass } from './MoralisObject.ts'
import type { MoralisUser, MoralisUserClass } from './MoralisUser.ts'
import type { ParseKit } from './ParseKit.ts'

const loud = { throwOnError: true }

/** `Moralis.User` of a client. The signed-in user's saves and reads are those of the session. */
export function createUserClass(kit: ParseKit, Base: MoralisObjectClass): MoralisUserClass {
  const { client } = kit
  const current = () => {
    const user = getUser(client)
    return user ? kit.toUser(user) : null
  }

  class ParseUser extends (Base as Loose) {
    constructor(values?: Attributes) {
      super('_User', values)
    }

    getUsername(): string | undefined {
      return this.get('username')
    }

    setUsername(username: string): boolean {
      return Boolean(this.set('username', username))
    }

    getEmail(): string | undefined {
      return this.get('email')
    }

    setEmail(email: string): boolean {
      return Boolean(this.set('email', email))
    }

    setPassword(password: string): boolean {
      return Boolean(this.set('password', password))
    }

    getSessionToken(): string | undefined {
      return this.isCurrent() ? client.internal.current?.credential.token : undefined
    }

    isCurrent(): boolean {
      return this.id !== undefined && getUser(client)?.objectId === this.id
    }

    authenticated(): boolean {
      return this.isCurrent()
    }

    async _send(fields: Attributes): Promise<object> {
      const { password: _, ...shown } = fields
      if (!this.id) return { ...shown, ...(await sign(signUp(client, fields as Loose, loud))) }
      if (!this.isCurrent()) return super._send(fields)
      return sign(saveUser(client, fields, loud))
    }

    async fetch(options: { include?: string | string[] } = {}): Promise<this> {
      if (!this.isCurrent() || options.include) return super.fetch(options)
      return this._read({ __type: 'Object', ...(await sign(refetchUser(client, loud))) })
    }

    async signUp(values?: Attributes | null): Promise<this> {
      return this.save(values)
    }

    async logIn(): Promise<this> {
      const { username, password } = this.attributes
      this.revert('password')
      return this._read(await sign(logIn(client, { username, password }, loud)))
    }

    async destroy(): Promise<this> {
      if (!this.isCurrent()) return super.destroy()
      const { deleteUser } = await import('../../core/actions/deleteUser.ts')
      await deleteUser(client, loud)
      return this
    }

    static extend(methods?: Attributes, statics?: Attributes): Loose {
      return (Base as Loose).extend.call(ParseUser, '_User', methods, statics)
    }

    static current(): MoralisUser | null {
      return current()
    }

    static async currentAsync(): Promise<MoralisUser | null> {
      return current()
    }

    static async signUp(username: string, password: string, values: Attributes = {}): Promise<MoralisUser> {
      return kit.toUser(await sign(signUp(client, { ...values, username, password }, loud)))
    }

    static async logIn(username: string, password: string, options: { usePost?: boolean } = {}): Promise<MoralisUser> {
      return kit.toUser(await sign(logIn(client, { username, password, usePost: options.usePost }, loud)))
    }

    static logOut(): Promise<void> {
      return logOut(client, loud)
    }

    static async requestPasswordReset(email: string): Promise<void> {
      const { requestPasswordReset } = await import('../../core/actions/requestPasswordReset.ts')
      await requestPasswordReset(client, { email }, loud)
    }

    static async requestEmailVerification(email: string): Promise<void> {
      const { requestEmailVerification } = await import('../../core/actions/requestEmailVerification.ts')
      await requestEmailVerification(client, { email }, loud)
    }
  }
  return ParseUser as unknown as MoralisUserClass
}

async function sign(answer: Promise<User | undefined>): Promise<User> {
  const user = await answer
  if (user) return user
  throw new CountersignError('ObjectNotFound', 'Could not get user')
}
