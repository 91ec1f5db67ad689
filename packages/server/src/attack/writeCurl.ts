import type { Sent, Target } from './createTarget.ts'

const longestBody = 600

/** Command that repeats a request. `hide` replaces secrets by names of variables. */
export function writeCurl(target: Target, sent: Sent, hide: (text: string) => string): string {
  const url = `${target.origin}${sent.isRooted ? '' : target.mount}${sent.path}`
  const headers = Object.entries(target.headersOf(sent)).filter(([name]) => name !== 'Content-Length')
  const parts = [
    'curl',
    ...(sent.method === 'GET' ? [] : ['-X', sent.method]),
    quote(shorten(hide(url))),
    ...headers.flatMap(([name, value]) => ['-H', quote(hide(`${name}: ${value}`))]),
    ...(sent.body === undefined ? [] : ['-d', quote(writeBody(sent.body, hide))]),
  ]
  return parts.join(' ')
}

function writeBody(body: unknown, hide: (text: string) => string): string {
  if (Buffer.isBuffer(body)) return `<${body.length} bytes>`
  const text = hide(typeof body === 'string' ? body : JSON.stringify(body))
  return shorten(text)
}

const shorten = (text: string) =>
  text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text

/** Variables such as `$TOKEN_VICTIM` stay outside of the single quotes, so that the shell fills them in. */
function quote(text: string): string {
  const escaped = text.replaceAll("'", "'\\''")
  return `'${escaped.replaceAll(/\$[A-Z][A-Z_]+\b/g, (name) => `'"${name}"'`)}'`
}
