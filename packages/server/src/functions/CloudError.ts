/** Code of the application that cannot be loaded; the message says which file, which line and why. */
export class CloudError extends Error {
  override readonly name = 'CloudError'

  constructor(path: string, cause: unknown) {
    super(`The cloud file ${path} cannot be loaded${placeIn(path, cause)}: ${textOf(cause)}`, { cause })
  }
}

/** The compiler tells its place in the text, a running file in the stack. */
function placeIn(path: string, cause: unknown): string {
  const { message, stack } = (cause ?? {}) as { message?: unknown; stack?: unknown }
  for (const text of [message, stack]) {
    if (typeof text !== 'string') continue
    const from = text.indexOf(`${path}:`)
    const line = from < 0 ? undefined : /^\d+/.exec(text.slice(from + path.length + 1))?.[0]
    if (line !== undefined) return ` (line ${line})`
  }
  return ''
}

function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause
  const { message } = (cause ?? {}) as { message?: unknown }
  const [first = ''] = String(message ?? cause).split('\n')
  return first.replace(/^ParseError: /, '').trim()
}
