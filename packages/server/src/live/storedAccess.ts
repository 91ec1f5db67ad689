import { hashToken } from '../keys/secrets.ts'
import { findDecision } from '../permissions/decide.ts'
import { hiddenFields } from '../permissions/hiddenFields.ts'
import type { LiveParts, Subscription } from './Live.ts'
import { sendFrame } from './sockets/frames.ts'

/** Remembers which rights a client stores documents by. Returns their fingerprint. */
export function storeAccess(parts: LiveParts, subscription: Subscription): string {
  const access = fingerprint(parts, subscription)
  subscription.access = access
  parts.stored.add(subscription)
  return access
}

/**
 * Tells clients that store documents that their rights have changed: no event says that a revoked role hides a
 * document. Called after roles or classes were read again.
 */
export function reportAccess(parts: LiveParts): void {
  for (const subscription of [...parts.stored]) {
    const { client, requestId } = subscription
    const access = fingerprint(parts, subscription)
    if (access === subscription.access) continue
    subscription.access = access
    sendFrame(client, { op: 'access', requestId, access })
  }
}

/** The same, after what is in doubt was read again. */
export async function settleAccess(parts: LiveParts): Promise<void> {
  await parts.settleClasses()
  await parts.identities.settle()
  reportAccess(parts)
}

/** Everything besides the document that decides what the caller reads of a class. */
function fingerprint({ context }: LiveParts, { group }: Subscription): string {
  const { classes, config } = context
  const { className, operation } = group.query
  const { access } = group.identity
  const schema = classes.find(className)
  const hidden = schema && hiddenFields(config, schema, access)
  const rights = [
    className,
    [...access.entities].sort(),
    access.isMaster,
    access.scope?.key,
    schema && findDecision(schema, access, operation),
    hidden?.always && [...hidden.always].sort(),
    hidden?.whereNamed.map((rule) => [rule.field, [...rule.hidden].sort()]),
    // A field that is dropped, or gets another type, is no change of a document either.
    schema && [...schema.fields].map(([name, { type }]) => `${name} ${type}`).sort(),
  ]
  return hashToken(JSON.stringify(rights)).toString('base64url').slice(0, 22)
}
