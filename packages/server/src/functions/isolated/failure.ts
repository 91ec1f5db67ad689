import { CountersignError } from '@countersign/protocol'
import { toRefusal } from '../toRefusal.ts'
import type { Failure } from './Message.ts'

export function writeFailure(error: unknown): Failure {
  const { code, message, details } = toRefusal(error)
  const { stack } = (error ?? {}) as { stack?: unknown }
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(typeof stack === 'string' && !(error instanceof CountersignError) && { stack }),
  }
}

export function readFailure({ code, message, details }: Failure): CountersignError {
  return new CountersignError(code ?? 'ScriptFailed', message, { ...(details !== undefined && { details }) })
}
