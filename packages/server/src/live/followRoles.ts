import type { LiveParts } from './Live.ts'

/**
 * Watches roles while anyone is subscribed, in the order of all changes, and so before the access they grant or revoke.
 */
export function followRoles(parts: LiveParts): Promise<unknown> {
  parts.roles ??= parts.feed.openClass('_Role').catch((error) => {
    parts.context.log.warn({ err: error }, 'role changes arrive by notifications only')
  })
  return parts.roles
}

export function leaveRoles(parts: LiveParts): void {
  if (parts.stats.subscriptions > 0 || !parts.roles) return
  parts.roles = undefined
  parts.feed.closeClass('_Role')
}
