import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { CodeCaller } from '../../context/Registry.ts'
import { toClientError } from '../CloudError.ts'
import type { ObjectStep } from '../createObjects.ts'

/** Maximum bytes of a message: the server must not choke on a function's result. */
export const longestMessage = 32 * 1024 * 1024

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

/** The pipe between server and process. Not Node.js's own channel: any code could send on that by `process.send`. */
export const pipeFd = 3

const headLength = 4

/** A message as it goes through the pipe: the length of its JSON, then the JSON. `undefined` where it is too long. */
export function writeMessage(message: ToProcess | FromProcess): Buffer | undefined {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  if (length > longestMessage) return undefined
  const frame = Buffer.allocUnsafe(headLength + length)
  frame.writeUInt32BE(length)
  frame.write(text, headLength)
  return frame
}

/** Splits the pipe's data into messages. Stops permanently at one that is too long. */
export function createMessageReader(hear: (text: string) => void, fail: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  let needed = headLength
  let isHead = true
  let isOver = false
  return (chunk) => {
    if (isOver) return
    parts.push(chunk)
    size += chunk.length
    while (size >= needed) {
      const [first] = parts
      const whole = first && parts.length === 1 ? first : Buffer.concat(parts, size)
      const piece = whole.subarray(0, needed)
      const rest = whole.subarray(needed)
      parts = [rest]
      size = rest.length
      if (!isHead) hear(piece.toString('utf8'))
      needed = isHead ? piece.readUInt32BE() : headLength
      isHead = !isHead
      isOver = needed > longestMessage
      if (isOver) return fail()
    }
  }
}

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
