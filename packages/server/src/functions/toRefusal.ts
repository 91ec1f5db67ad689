import { CountersignError } from '@countersign/protocol'

/** Failures of the server itself that passed through code of the application: their texts are not for its callers. */
const ownFailures = new WeakSet<object>()

export function noteOwnFailure(error: unknown): void {
  if (error !== null && typeof error === 'object') ownFailures.add(error)
}

export function isOwnFailure(error: unknown): boolean {
  return error !== null && typeof error === 'object' && ownFailures.has(error)
}

/** What code threw, as its caller is told: with its own code and text, and with 141 where it has none. */
export function toRefusal(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error
  if (typeof error === 'string') return new CountersignError('ScriptFailed', error)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' && message !== '' ? message : 'Script failed.'
  return new CountersignError(typeof code === 'number' && Number.isInteger(code) ? code : 'ScriptFailed', text, {
    cause: error,
  })
}
