import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Access } from './Access.ts'
import { findRoles } from './findRoles.ts'

const master: Access = { isMaster: true, entities: ['*'] }
const guest: Access = { isMaster: false, entities: ['*'] }

/**
 * Answers by caller, which lives as long as its request: whatever the request writes, it is judged by the roles that
 * were held when it came in. A role that it gives itself in a transaction that fails must not reach the cache.
 */
const known = new WeakMap<Caller, Promise<Access>>()

/** What the caller answers to when a class or an object asks who is there. */
export function accessOf(context: Context, caller: Caller): Promise<Access> {
  const before = known.get(caller)
  if (before) return before
  const access = caller.session && !caller.isMaster ? accessOfUser(context, caller.session.userId) : undefined
  const answer = access ?? Promise.resolve(caller.isMaster ? masterOf(caller) : guest)
  known.set(caller, answer)
  return answer
}

/** The master key with a session along: above every rule, and known by name where a field asks for the user. */
function masterOf({ session }: Caller): Access {
  return session ? { ...master, userId: session.userId } : master
}

async function accessOfUser(context: Context, userId: string): Promise<Access> {
  const roles =
    context.roleCache.find(userId) ?? (await context.roleCache.load(userId, () => findRoles(context, userId)))
  return { isMaster: false, userId, entities: ['*', userId, ...roles.map((name) => `role:${name}`)] }
}
