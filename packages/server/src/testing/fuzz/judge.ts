import { findViolations } from '../../attack/invariants.ts'
import type { RawAnswer } from './createConnections.ts'
import type { FuzzRequest } from './createRequests.ts'
import type { FuzzFinding } from './Finding.ts'
import { type FuzzActor, secretMark, type World } from './World.ts'

/** Operators read the log, with stacks of the application, words of the database on their own SQL, and saved queries. */
const ownTexts = new Set(['listLogLines', 'runSql', 'listAudiences', 'getAudience'])

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
    ...{ status, headers, text, body, ms: 0 },
  })
    .filter(({ rule }) => !(rule === 'leak' && ownTexts.has(endpoint)))
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

function parse(text: string): object {
  if (!text.startsWith('{') && !text.startsWith('[')) return {}
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}
