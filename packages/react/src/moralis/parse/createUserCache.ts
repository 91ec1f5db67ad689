import type { User } from '../../core/User.ts'
import type { MoralisUser } from './MoralisUser.ts'

/** One user object for each snapshot, so that a hook gives the same one until something in it changes. */
export function createUserCache(create: () => MoralisUser): (user: User) => MoralisUser {
  const known = new WeakMap<User, MoralisUser>()
  return (user) => {
    const found = known.get(user)
    if (found) return found
    const made = create()._read({ __type: 'Object', ...user })
    known.set(user, made)
    return made
  }
}
