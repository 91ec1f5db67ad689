import type { Client } from '../../core/Client.ts'
import type { Loose } from '../Loose.ts'
import { createFileClass } from './createFileClass.ts'
import { createObjectClass } from './createObjectClass.ts'
import { createQueryClass } from './createQueryClass.ts'
import { createRoleClass, type MoralisRoleClass } from './createRoleClass.ts'
import { createUserCache } from './createUserCache.ts'
import { createUserClass } from './createUserClass.ts'
import { MoralisGeoPoint } from './MoralisGeoPoint.ts'
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
