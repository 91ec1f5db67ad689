import type { LiveParts } from './Live.ts'

/** While anyone asks, changes of roles come in the order of all others, and so before what they open or shut. */
export function followRoles(parts: LiveParts): Promise<unknown> {
  parts.roles ??= parts.feed.openClass('_Role').catch((error) => {
    parts.context.log.warn({ err: error }, 'changes of roles are heard by notifications alone')
  })
  return parts.roles
}

export function leaveRoles(parts: LiveParts): void {
  if (parts.stats.subscriptions > 0 || !parts.roles) return
  parts.roles = undefined
  parts.feed.closeClass('_Role')
}
