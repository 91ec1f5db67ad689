import type { Client, User } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import type { MoralisFileClass } from './MoralisFile.ts'
import type { MoralisObject, MoralisObjectClass, MoralisQueryClass } from './MoralisObject.ts'
import type { MoralisUser, MoralisUserClass } from './MoralisUser.ts'

/** The classes of one client, which know each other through it. */
export type ParseKit = {
  readonly client: Client
  /** Classes that the application registered, by name. */
  readonly classes: Map<string, Loose>
  readonly Object: MoralisObjectClass
  readonly User: MoralisUserClass
  readonly Query: MoralisQueryClass
  readonly File: MoralisFileClass
  readonly create: (className: string) => MoralisObject
  readonly readFile: (value: object) => Loose
  readonly readPoint: (value: object) => Loose
  /** The user of a snapshot: the same snapshot gives the same user. */
  readonly toUser: (user: User) => MoralisUser
}
