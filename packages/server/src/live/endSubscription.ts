import { leaveRoles } from './followRoles.ts'
import type { LiveParts, Subscription } from './Live.ts'

/** Takes a subscription out of everything. Says nothing to its client. */
export function endSubscription(parts: LiveParts, subscription: Subscription): void {
  if (subscription.ended) return
  subscription.ended = true
  subscription.backlog = undefined
  parts.stored.delete(subscription)
  const { client, requestId, group, session } = subscription
  if (client.subscriptions.get(requestId) === subscription) client.subscriptions.delete(requestId)
  session?.subscriptions.delete(subscription)
  if (session) parts.sessions.release(session)
  group.members.delete(subscription)
  parts.identities.release(group.identity)
  const { query } = group
  if (group.members.size === 0 && query.groups.get(group.key) === group) query.groups.delete(group.key)
  const classSubscriptions = parts.subscriptionsByClass.get(query.className)
  if (query.groups.size === 0 && classSubscriptions?.queries.get(query.key) === query) {
    classSubscriptions.remove(query)
    if (classSubscriptions.queries.size === 0) parts.subscriptionsByClass.delete(query.className)
  }
  parts.feed.closeClass(query.className)
  parts.stats.subscriptions--
  leaveRoles(parts)
}
