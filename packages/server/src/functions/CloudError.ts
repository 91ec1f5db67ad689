import { CountersignError } from '@countersign/protocol'

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

/** Failures of the server itself that passed through code of the application: their texts are not for its callers. */
const ownFailures = new WeakSet<object>()

export function noteOwnFailure(error: unknown): void {
  if (error !== null && typeof error === 'object') ownFailures.add(error)
}

export function isOwnFailure(error: unknown): boolean {
  return error !== null && typeof error === 'object' && ownFailures.has(error)
}

/** Converts an error of application code for the caller: with its own code and text, or 141 without a code. */
export function toClientError(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error
  if (typeof error === 'string') return new CountersignError('ScriptFailed', error)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' && message !== '' ? message : 'Script failed.'
  return new CountersignError(typeof code === 'number' && Number.isInteger(code) ? code : 'ScriptFailed', text, {
    cause: error,
  })
}
