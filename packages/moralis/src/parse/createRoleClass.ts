import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisAcl } from './MoralisAcl.ts'
import type { MoralisObject, MoralisObjectClass, MoralisRelation } from './MoralisObject.ts'

export interface MoralisRole<T extends Attributes = Attributes> extends MoralisObject<T> {
  getName(): string
  setName(name: string): this | false
  getUsers(): MoralisRelation
  getRoles(): MoralisRelation
}

export interface MoralisRoleClass {
  new <T extends Attributes = Attributes>(name: string, acl: MoralisAcl): MoralisRole<T>
}

/** `Moralis.Role` of a client. */
export function createRoleClass(Base: MoralisObjectClass): MoralisRoleClass {
  class ParseRole extends (Base as Loose) {
    constructor(name?: string, acl?: MoralisAcl) {
      super('_Role')
      if (typeof name === 'string') this.set('name', name)
      if (acl) this.setACL(acl)
    }

    getName(): string {
      return this.get('name')
    }

    setName(name: string): this {
      return this.set('name', name)
    }

    getUsers(): MoralisRelation {
      return this.relation('users')
    }

    getRoles(): MoralisRelation {
      return this.relation('roles')
    }
  }
  return ParseRole as unknown as MoralisRoleClass
}
