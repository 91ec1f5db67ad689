import { getUser } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { defer, loadLater } from '../loadLater.ts'
import type { MoralisObjectClass } from './MoralisObject.ts'
import type { MoralisUser, MoralisUserClass } from './MoralisUser.ts'
import type { ParseKit } from './ParseKit.ts'

/** `Moralis.User` of a client. The signed-in user's saves and reads are those of the session. */
export function createUserClass(kit: ParseKit, Base: MoralisObjectClass): MoralisUserClass {
  const { client } = kit
  const current = () => {
    const user = getUser(client)
    return user ? kit.toUser(user) : null
  }

  const load = async () => (await loadLater()).createUserActs(kit)
  const { create, open, update, read, remove, ...statics } = defer(load, [
    'create',
    'open',
    'update',
    'read',
    'remove',
    'signUp',
    'logIn',
    'logOut',
    'requestPasswordReset',
    'requestEmailVerification',
  ])

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
      if (!this.id) return { ...shown, ...(await create(fields)) }
      if (!this.isCurrent()) return super._send(fields)
      return update(fields)
    }

    async fetch(options: { include?: string | string[] } = {}): Promise<this> {
      if (!this.isCurrent() || options.include) return super.fetch(options)
      return this._read({ __type: 'Object', ...(await read()) })
    }

    async signUp(values?: Attributes | null): Promise<this> {
      return this.save(values)
    }

    async logIn(): Promise<this> {
      const { username, password } = this.attributes
      this.revert('password')
      return this._read(await open(username, password))
    }

    async destroy(): Promise<this> {
      if (!this.isCurrent()) return super.destroy()
      await remove()
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
  }
  return Object.assign(ParseUser, statics) as unknown as MoralisUserClass
}
