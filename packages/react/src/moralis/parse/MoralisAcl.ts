import type { Acl } from '@countersign/protocol'

type Who = string | { readonly id?: string }

/** Who may read and write an object; a class, because applications make it with `new`. */
export class MoralisAcl {
  permissionsById: Acl = {}

  constructor(given?: Who | Acl) {
    if (typeof given === 'string' || (given && 'id' in given)) {
      this.setReadAccess(given as Who, true)
      this.setWriteAccess(given as Who, true)
    } else if (given) this.permissionsById = { ...(given as Acl) }
  }

  setReadAccess(who: Who, allowed: boolean): void {
    this.#set(toName(who), 'read', allowed)
  }

  setWriteAccess(who: Who, allowed: boolean): void {
    this.#set(toName(who), 'write', allowed)
  }

  getReadAccess(who: Who): boolean {
    return this.permissionsById[toName(who)]?.read === true
  }

  getWriteAccess(who: Who): boolean {
    return this.permissionsById[toName(who)]?.write === true
  }

  setPublicReadAccess(allowed: boolean): void {
    this.setReadAccess('*', allowed)
  }

  setPublicWriteAccess(allowed: boolean): void {
    this.setWriteAccess('*', allowed)
  }

  getPublicReadAccess(): boolean {
    return this.getReadAccess('*')
  }

  getPublicWriteAccess(): boolean {
    return this.getWriteAccess('*')
  }

  setRoleReadAccess(role: string | { getName(): string }, allowed: boolean): void {
    this.setReadAccess(toRole(role), allowed)
  }

  setRoleWriteAccess(role: string | { getName(): string }, allowed: boolean): void {
    this.setWriteAccess(toRole(role), allowed)
  }

  getRoleReadAccess(role: string | { getName(): string }): boolean {
    return this.getReadAccess(toRole(role))
  }

  getRoleWriteAccess(role: string | { getName(): string }): boolean {
    return this.getWriteAccess(toRole(role))
  }

  equals(other: unknown): boolean {
    return other instanceof MoralisAcl && JSON.stringify(other) === JSON.stringify(this)
  }

  toJSON(): Acl {
    return { ...this.permissionsById }
  }

  #set(name: string, kind: 'read' | 'write', allowed: boolean): void {
    const { [kind]: _, ...rest } = this.permissionsById[name] ?? {}
    const { [name]: __, ...others } = this.permissionsById
    const next = allowed ? { ...rest, [kind]: true as const } : rest
    this.permissionsById = Object.keys(next).length > 0 ? { ...others, [name]: next } : others
  }
}

function toName(who: Who): string {
  const name = typeof who === 'string' ? who : who.id
  if (!name) throw new TypeError('Cannot get access for a user without an id.')
  return name
}

function toRole(role: string | { getName(): string }): string {
  return `role:${typeof role === 'string' ? role : role.getName()}`
}
