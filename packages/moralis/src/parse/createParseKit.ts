import type { Client, User } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import { createFileClass } from './createFileClass.ts'
import { createObjectClass } from './createObjectClass.ts'
import { createQueryClass } from './createQueryClass.ts'
import { createRoleClass, type MoralisRoleClass } from './createRoleClass.ts'
import { createUserClass } from './createUserClass.ts'
import { MoralisGeoPoint } from './MoralisGeoPoint.ts'
import type { MoralisUser } from './MoralisUser.ts'
import type { ParseKit } from './ParseKit.ts'

/** The classes of the older SDK, for one client. */
export function createParseKit(client: Client): ParseKit & { readonly Role: MoralisRoleClass } {
  const classes = new Map<string, Loose>()
  const kit: Loose = {
    client,
    classes,
    readPoint: (value: { latitude: number; longitude: number }) => new MoralisGeoPoint(value),
    readFile: (value: object) => kit.File.fromJSON(value),
  }
  kit.Object = createObjectClass(kit)
  kit.User = createUserClass(kit, kit.Object)
  kit.Role = createRoleClass(kit.Object)
  kit.Query = createQueryClass(kit)
  kit.File = createFileClass(client)
  classes.set('_User', kit.User)
  classes.set('_Role', kit.Role)
  kit.create = (name: string) => {
    const Known = classes.get(name)
    return Known ? new Known() : new kit.Object(name)
  }
  kit.toUser = createUserCache(() => kit.create('_User'))
  return kit
}

/** One user object for each snapshot, so that a hook gives the same one until something in it changes. */
function createUserCache(create: () => MoralisUser): (user: User) => MoralisUser {
  const known = new WeakMap<User, MoralisUser>()
  return (user) => {
    const found = known.get(user)
    if (found) return found
    const made = create()._read({ __type: 'Object', ...user })
    known.set(user, made)
    return made
  }
}
