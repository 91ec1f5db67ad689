import { leaveRoles } from './followRoles.ts'
import type { LiveParts } from './LiveParts.ts'
import type { Subscription } from './Subscription.ts'

/** Takes a subscription out of everything. Says nothing to its client. */
export function endSubscription(parts: LiveParts, subscription: Subscription): void {
  if (subscription.ended) return
  subscription.ended = true
  subscription.backlog = undefined
  const { client, requestId, group, session } = subscription
  if (client.subscriptions.get(requestId) === subscription) client.subscriptions.delete(requestId)
  session?.subscriptions.delete(subscription)
  if (session) parts.sessions.release(session)
  group.members.delete(subscription)
  parts.identities.release(group.identity)
  const { question } = group
  if (group.members.size === 0 && question.groups.get(group.key) === group) question.groups.delete(group.key)
  const room = parts.rooms.get(question.className)
  if (question.groups.size === 0 && room?.questions.get(question.key) === question) {
    room.remove(question)
    if (room.questions.size === 0) parts.rooms.delete(question.className)
  }
  parts.feed.closeClass(question.className)
  parts.stats.subscriptions--
  leaveRoles(parts)
}
