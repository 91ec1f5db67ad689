import { findViolations } from '../../attack/invariants.ts'
import type { RawAnswer } from './createConnections.ts'
import type { FuzzRequest } from './createRequests.ts'
import type { FuzzFinding } from './Finding.ts'
import { type FuzzActor, secretMark, type World } from './World.ts'

/** Violations in one response. */
export function judgeAnswer(
  world: World,
  actor: FuzzActor,
  request: FuzzRequest,
  answer: RawAnswer,
): Omit<FuzzFinding, 'input'>[] {
  const { endpoint } = request
  const { status, text, headers } = answer
  if (status === -1) return [{ rule: 'noAnswer', message: `${endpoint} does not respond.`, endpoint }]
  if (status === 0)
    return [{ rule: 'noAnswer', message: `${endpoint} closes the connection without a response.`, endpoint }]
  const body = parse(text)
  const found = findViolations({
    sent: { as: actor, method: request.method, path: request.path, body: request.body, headers: request.headers },
    ...{ status, headers, text: withoutSavedQueries(endpoint, text), body, ms: 0 },
  })
    // Operators read the log itself, where errors of the application have their stack, and what the database says of
    // their own SQL.
    .filter(({ rule }) => !(rule === 'leak' && (endpoint === 'listLogLines' || endpoint === 'runSql')))
    .map(({ rule, message }): Omit<FuzzFinding, 'input'> => ({ rule: rule as FuzzFinding['rule'], message, endpoint }))
  if ((body as { reason?: unknown }).reason === 'databaseUnavailable')
    found.push({ rule: 'serverError', message: `${endpoint} takes the database for unavailable.`, endpoint })
  // Pages of this very machine may read the outbox, while mails are not sent.
  const mayReadAll = endpoint === 'listOutbox'
  for (const label of mayReadAll ? [] : findForeign(world, actor, text))
    found.push({ rule: 'foreignData', message: `${endpoint} shows ${label} to ${actor.name}.`, endpoint })
  return found
}

/** Secrets in a text that its reader may not see. */
export function findForeign({ secrets, victim }: World, { kind }: FuzzActor, text: string): string[] {
  const found: string[] = []
  if (text.includes(victim.token)) found.push('the session of the victim')
  if (!text.includes(secretMark)) return found
  for (const [secret, { label, readers }] of secrets) if (!readers.has(kind) && text.includes(secret)) found.push(label)
  return found
}

/** Device queries that operators saved may name any field; everything around them is judged. */
function withoutSavedQueries(endpoint: string, text: string): string {
  if (endpoint !== 'listAudiences' && endpoint !== 'getAudience') return text
  try {
    return JSON.stringify(JSON.parse(text, (key, value) => (key === 'query' ? null : value)))
  } catch {
    return text
  }
}

function parse(text: string): object {
  if (!text.startsWith('{') && !text.startsWith('[')) return {}
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}
