import type { Acl } from '@countersign/protocol'

type Who = string | { readonly id?: string }
type Role = string | { getName(): string }
type Kind = 'read' | 'write'

/** Access list of a document; a class, because applications create it with `new`. */
export class MoralisAcl {
  permissionsById: Acl = {}

  constructor(given?: Who | Acl) {
    if (typeof given === 'string' || (given && 'id' in given)) {
      this.setReadAccess(given as Who, true)
      this.setWriteAccess(given as Who, true)
    } else if (given) this.permissionsById = { ...(given as Acl) }
  }

  setReadAccess = (who: Who, allowed: boolean): void => this.#set(who, 'read', allowed)
  setWriteAccess = (who: Who, allowed: boolean): void => this.#set(who, 'write', allowed)
  getReadAccess = (who: Who): boolean => this.#get(who, 'read')
  getWriteAccess = (who: Who): boolean => this.#get(who, 'write')
  setPublicReadAccess = (allowed: boolean): void => this.#set('*', 'read', allowed)
  setPublicWriteAccess = (allowed: boolean): void => this.#set('*', 'write', allowed)
  getPublicReadAccess = (): boolean => this.#get('*', 'read')
  getPublicWriteAccess = (): boolean => this.#get('*', 'write')
  setRoleReadAccess = (role: Role, allowed: boolean): void => this.#set(toRole(role), 'read', allowed)
  setRoleWriteAccess = (role: Role, allowed: boolean): void => this.#set(toRole(role), 'write', allowed)
  getRoleReadAccess = (role: Role): boolean => this.#get(toRole(role), 'read')
  getRoleWriteAccess = (role: Role): boolean => this.#get(toRole(role), 'write')

  equals(other: unknown): boolean {
    return other instanceof MoralisAcl && JSON.stringify(other.toJSON()) === JSON.stringify(this.toJSON())
  }

  toJSON(): Acl {
    return { ...this.permissionsById }
  }

  #get(who: Who, kind: Kind): boolean {
    return this.permissionsById[toName(who)]?.[kind] === true
  }

  #set(who: Who, kind: Kind, allowed: boolean): void {
    const name = toName(who)
    const { [name]: before, ...others } = this.permissionsById
    const { [kind]: _, ...rest } = before ?? {}
    const next = allowed ? { ...rest, [kind]: true as const } : rest
    this.permissionsById = Object.keys(next).length > 0 ? { ...others, [name]: next } : others
  }
}

function toName(who: Who): string {
  const name = typeof who === 'string' ? who : who.id
  if (!name) throw new TypeError('Cannot get access for a user without an id.')
  return name
}

function toRole(role: Role): string {
  return `role:${typeof role === 'string' ? role : role.getName()}`
}
