import type { Answer } from './createTarget.ts'
import type { Finding } from './Finding.ts'

type Violation = Pick<Finding, 'rule' | 'message'>

/** Texts that only the inside of a server has. */
const internals: [RegExp, string][] = [
  [/\bat (async )?[\w.<>$ []*\(?(file:|node:|\/)[^\s)]+:\d+:\d+/, 'a stack trace'],
  [/node_modules[\\/]/, 'a path of the installation'],
  [/(?<![\w/])\/(home|root|usr|var|srv|opt|app|tmp)\/[\w.-]+\/[\w./-]+/, 'a path of the machine'],
  [/syntax error at or near|violates (unique|foreign key|not-null|check) constraint/, 'an error of the database'],
  [
    /(relation|column|type|schema|function) "[^"]{1,80}"( of relation "[^"]{1,80}")? (does not exist|already exists)/,
    'an error of the database',
  ],
  [
    /\bselect .{1,200} from (public|countersign|pg_catalog)\b|invalid input syntax for type|PGlite|\bECONNREFUSED\b/,
    'an error of the database',
  ],
  [
    /\$argon2(id|i|d)\$|\$2[aby]\$\d\d\$|_hashed_password"\s*:|"_session_token"/,
    'a password hash or an internal field',
  ],
]

/** Rules that hold for every response of the API, for every caller. */
export function findViolations(answer: Answer): Violation[] {
  const { status, text, body, headers, sent } = answer
  const found: Violation[] = []
  const title = `${sent.method} ${shorten(sent.path)}`
  if (isServerError(answer)) found.push({ rule: 'serverError', message: `${title} gets status ${status}.` })
  else if (text.includes('"internalServerError"'))
    found.push({ rule: 'serverError', message: `${title} contains an internal server error.` })
  if (isApplication(answer)) return found
  const written = typeof sent.body === 'string' ? sent.body : (JSON.stringify(sent.body) ?? '')
  for (const [pattern, what] of internals) {
    const hit = pattern.exec(text)?.[0]
    // A server may repeat what it was sent.
    if (hit === undefined || written.includes(hit) || decodeURIComponentOr(sent.path).includes(hit)) continue
    found.push({ rule: 'leak', message: `The response to ${title} contains ${what}: ${hit.slice(0, 120)}` })
  }
  // Shared caches must not store a response to a caller.
  const cache = String(headers['cache-control'] ?? '')
  const isPublicFile = sent.path.startsWith('/files/') && sent.method === 'GET'
  // Requests that Node.js itself refuses, such as with long headers, have no id.
  const isOurs = headers['x-request-id'] !== undefined && !sent.isRooted && sent.method !== 'OPTIONS'
  if (isOurs && !isPublicFile) {
    if (!/no-store|no-cache|private/.test(cache))
      found.push({
        rule: 'header',
        message: `${sent.as.token === undefined ? 'A response' : 'A response to a session'} may be stored by shared caches: Cache-Control is "${cache}".`,
      })
  }
  if (headers['access-control-allow-credentials'] === 'true' && headers['access-control-allow-origin'] === '*')
    found.push({ rule: 'header', message: 'Any origin may send credentials.' })
  if (
    body &&
    typeof body === 'object' &&
    (body as { polluted?: unknown }).polluted === pollution &&
    !written.includes(pollution)
  )
    found.push({ rule: 'integrity', message: `The response to ${title} has a property of a polluted prototype.` })
  return found
}

/** Value that polluting requests try to give every object. */
export const pollution = 'polluted-by-attack'

function isServerError({ status, body, sent }: Answer): boolean {
  if (status < 500) return false
  // Dependencies such as nodes may be down. The server names them; its own failures have no such reason.
  const reason = (body as { reason?: unknown }).reason
  const isNamed = typeof reason === 'string' && reason !== 'internalServerError'
  return !(isNamed && [502, 503, 504].includes(status)) || sent.path === '/health'
}

/** The web application and its documentation show paths and SQL on purpose. */
function isApplication({ headers, sent }: Answer): boolean {
  return Boolean(sent.isRooted) && /html|javascript|css/.test(String(headers['content-type'] ?? ''))
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const shorten = (path: string) => (path.length > 100 ? `${path.slice(0, 100)}…` : path)
