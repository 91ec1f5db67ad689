import type { Caller } from '../../context/Caller.ts'

/** For whom documents of strangers are fetched, to give each a share: a user, or whoever is behind an address. */
export function askerOf({ isMaster, isCode, session, ipAddress }: Caller): string {
  if (isMaster || isCode) return 'server'
  return session ? `user ${session.user.objectId}` : `address ${ipAddress}`
}
