import type { Caller } from '../../context/Caller.ts'

/**
 * Party that documents of strangers are fetched for, so that each gets a share: a user, or everyone behind an address.
 */
export function askerOf({ isMaster, isCode, session, token, ipAddress }: Caller): string {
  if (token) return `token ${token.grant.id}`
  if (isMaster || isCode) return 'server'
  return session ? `user ${session.user.objectId}` : `address ${ipAddress}`
}
