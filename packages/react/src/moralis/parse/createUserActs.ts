import { CountersignError } from '@countersign/protocol'
import { deleteUser } from '../../core/actions/deleteUser.ts'
import { logIn } from '../../core/actions/logIn.ts'
import { logOut } from '../../core/actions/logOut.ts'
import { refetchUser } from '../../core/actions/refetchUser.ts'
import { requestEmailVerification } from '../../core/actions/requestEmailVerification.ts'
import { requestPasswordReset } from '../../core/actions/requestPasswordReset.ts'
import { saveUser } from '../../core/actions/saveUser.ts'
import { signUp } from '../../core/actions/signUp.ts'
import type { User } from '../../core/User.ts'
import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisUser } from './MoralisUser.ts'
import type { ParseKit } from './ParseKit.ts'

const loud = { throwOnError: true }

/** What `Moralis.User` does with the session; what goes wrong is thrown. */
export function createUserActs({ client, toUser }: ParseKit) {
  return {
    create: (fields: Attributes) => sign(signUp(client, fields as Loose, loud)),
    open: (username: string, password: string) => sign(logIn(client, { username, password }, loud)),
    update: (fields: Attributes) => sign(saveUser(client, fields, loud)),
    read: () => sign(refetchUser(client, loud)),
    remove: () => deleteUser(client, loud),

    async signUp(username: string, password: string, values: Attributes = {}): Promise<MoralisUser> {
      return toUser(await sign(signUp(client, { ...values, username, password }, loud)))
    },
    async logIn(username: string, password: string, { usePost }: { usePost?: boolean } = {}): Promise<MoralisUser> {
      const given = { username, password, ...(usePost !== undefined && { usePost }) }
      return toUser(await sign(logIn(client, given, loud)))
    },
    logOut: (): Promise<void> => logOut(client, loud),
    requestPasswordReset: (email: string) => requestPasswordReset(client, { email }, loud),
    requestEmailVerification: (email: string) => requestEmailVerification(client, { email }, loud),
  }
}

async function sign(answer: Promise<User | undefined>): Promise<User> {
  const user = await answer
  if (user) return user
  throw new CountersignError('ObjectNotFound', 'Could not get user')
}
