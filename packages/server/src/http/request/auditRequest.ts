import type { AuditEntry } from '../../audit/startAudit.ts'
import { actorOf, type Caller } from '../../context/Caller.ts'
import type { Asked, Gate } from './Exchange.ts'

const rightChanges = new Set(['createRole', 'updateRole', 'deleteRole', 'claimConsole', 'endImpersonation'])

/**
 * Selects calls for the audit log: writes with the master key or by operators, also in a session they opened for a
 * user, and anyone's changes to roles or by a link for operators.
 */
export function isAudited(
  { method, match: { endpoint, params } }: Pick<Asked, 'method' | 'match'>,
  caller: Caller,
): boolean {
  if (method === 'GET' && !endpoint.writes) return false
  // The parts of a batch are noted one by one. A probe, which the console's health check sends, changes nothing.
  if (endpoint.name === 'batch' || endpoint.name === 'probeConnection') return false
  if (caller.token?.grant.kind === 'service') return true
  if (caller.isMaster || caller.operator !== undefined || caller.session?.openedBy !== undefined) return true
  return params.className === '_Role' || rightChanges.has(endpoint.name)
}

/** The entry of a call that was carried out. */
export function describeForAudit(
  { match, body }: Pick<Asked, 'match' | 'body'>,
  caller: Caller,
  output: object,
): AuditEntry {
  const { className = '', objectId = (output as { objectId?: unknown }).objectId, ...rest } = match.params
  const subject = [className, objectId, ...Object.values(rest)].filter(
    (part) => typeof part === 'string' && part !== '',
  )
  return {
    actor: actorOf(caller),
    action: match.endpoint.name,
    subject: subject.join('/'),
    // Names alone: what they hold may be secret, and an entry cannot be removed.
    details: {
      fields: Object.keys(body)
        .slice(0, 50)
        .map((name) => name.slice(0, 100)),
      ...match.endpoint.auditDetails?.(body),
      ...(caller.token && { token: caller.token.grant.name }),
      ...(caller.session?.openedBy !== undefined && { as: `user:${caller.session.userId}` }),
    },
    address: caller.ipAddress,
  }
}

/** After the commit: what was undone is not in the log. Plain objects wait for no entry, rights and accounts do. */
export async function noteInAudit(
  { context, audit }: Pick<Gate, 'context' | 'audit'>,
  asked: Pick<Asked, 'match' | 'body'>,
  caller: Caller,
  output: object,
): Promise<void> {
  const entry = describeForAudit(asked, caller, output)
  const { endpoint, params } = asked.match
  const isPlain = endpoint.once && !params.className?.startsWith('_')
  await context.db.afterCommit(() => {
    const noted = audit.note(entry, { isWaitedFor: !isPlain })
    if (!isPlain) return noted
    noted.catch(() => {})
  })
}
