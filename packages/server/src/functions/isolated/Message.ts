import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { CodeCaller } from '../../context/Registry.ts'
import { toClientError } from '../CloudError.ts'
import type { ObjectStep } from '../createObjects.ts'

/** Characters that a message may have: the server must not choke on the answer of a function. */
export const longestText = 32 * 1024 * 1024

/** An error on its way between processes, which would lose its class and its code. */
export type Failure = { code?: number; message: string; details?: string; stack?: string }

/** To the process, as JSON. */
export type ToProcess =
  | { kind: 'call'; call: number; name: string; path: string; exported: string; params: WireFields; caller: CodeCaller }
  | { kind: 'stepDone'; id: number; answer: WireFields }
  | { kind: 'stepFailed'; id: number; failure: Failure }

/** From the process, as JSON. `crashed` are its last words. */
export type FromProcess =
  | { kind: 'done'; call: number; answer: WireValue | undefined }
  | { kind: 'failed'; call: number; failure: Failure }
  | { kind: 'step'; call: number; id: number; as: 'caller' | 'master'; step: ObjectStep }
  | { kind: 'log'; message: string; details: WireFields }
  | { kind: 'crashed'; message: string }

export function writeFailure(error: unknown): Failure {
  const { code, message, details } = toClientError(error)
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
