import { CountersignError, errorCodes, type LiveAnswer } from '@countersign/protocol'
import type { LiveClient } from '../LiveClient.ts'
import { encodeFrame } from './encodeFrame.ts'

/** Each answer without what every frame to the client has. */
type Said = LiveAnswer extends infer Each
  ? Each extends LiveAnswer
    ? Omit<Each, 'clientId' | 'installationId'>
    : never
  : never

/** Says something to a client, after what is waiting for it. */
export function sendFrame(client: LiveClient, said: Said): void {
  const { op, ...rest } = said
  const text = JSON.stringify(rest).slice(1)
  client.outlet.force(encodeFrame(Buffer.from(`{"op":"${op}",${client.who}${text === '}' ? '' : ','}${text}`)))
  client.outlet.flush()
}

/** Tells of a mistake, or of something that went wrong. Nothing of the server's own leaves it. */
export function sendError(client: LiveClient, error: unknown, requestId: number | null, reconnect = false): void {
  const known = error instanceof CountersignError
  sendFrame(client, {
    op: 'error',
    code: known ? error.code : errorCodes.InternalServerError,
    error: known ? error.message : 'Internal server error.',
    reason: known ? error.reason : 'internalServerError',
    reconnect,
    requestId,
  })
}
