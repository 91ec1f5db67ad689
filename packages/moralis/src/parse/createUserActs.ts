import { CountersignError } from '@countersign/protocol'
import {
  deleteUser,
  refetchUser,
  requestEmailVerification,
  requestPasswordReset,
  saveUser,
  signInWithPassword,
  signOut,
  signUp,
  type User,
} from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisUser } from './MoralisUser.ts'
import type { ParseKit } from './ParseKit.ts'

const loud = { throwOnError: true } as const

/** Session operations of `Moralis.User`; failures are thrown. */
export function createUserActs({ client, toUser }: ParseKit) {
  return {
    create: (fields: Attributes) => sign(signUp(client, fields as Loose, loud)),
    open: (username: string, password: string) => sign(signInWithPassword(client, { username, password }, loud)),
    update: (fields: Attributes) => sign(saveUser(client, fields, loud)),
    read: () => sign(refetchUser(client, loud)),
    remove: () => deleteUser(client),

    async signUp(username: string, password: string, values: Attributes = {}): Promise<MoralisUser> {
      return toUser(await sign(signUp(client, { ...values, username, password }, loud)))
    },
    async logIn(username: string, password: string, { usePost }: { usePost?: boolean } = {}): Promise<MoralisUser> {
      const given = { username, password, ...(usePost !== undefined && { usePost }) }
      return toUser(await sign(signInWithPassword(client, given, loud)))
    },
    logOut: (): Promise<void> => signOut(client, loud),
    requestPasswordReset: (email: string) => requestPasswordReset(client, { email }),
    requestEmailVerification: (email: string) => requestEmailVerification(client, { email }),
  }
}

async function sign(answer: Promise<User | undefined>): Promise<User> {
  const user = await answer
  if (user) return user
  throw new CountersignError('ObjectNotFound', 'Could not get user')
}
