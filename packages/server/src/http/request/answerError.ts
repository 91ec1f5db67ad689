import {
  CountersignError,
  errorCodes,
  type ReasonParams,
  reasons,
  refuse,
  type WireFields,
} from '@countersign/protocol'
import type { Logger } from 'pino'
import { isConflict, isForeignKeyViolation, isUnavailable } from '../../db/databaseErrors.ts'
import type { ApiReply } from './ApiRequest.ts'

/** The application id or a key is wrong. The wire gives this refusal no code. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized'
}

/** The one place where an error becomes a response. Nothing of SQL, stack or path leaves through here. */
export function answerError<Reply extends ApiReply>(reply: Reply, error: unknown, log: Logger): Reply {
  sendError(reply, error, log)
  return reply
}

function sendError(reply: ApiReply, error: unknown, log: Logger): ApiReply {
  if (error instanceof Unauthorized) return reply.code(403).send({ error: error.message, reason: 'unauthorized' })
  const known = toCountersignError(error, log)
  if (known) {
    if (known.rateLimit?.retryAfter !== undefined) reply.header('Retry-After', String(known.rateLimit.retryAfter))
    return reply
      .code(known.status)
      .send({ ...describeRefusal(known), ...(known.details && { details: known.details }) })
  }
  const message = 'Internal server error.'
  if (isConflict(error)) {
    return reply.code(503).header('Retry-After', '1').send({
      code: errorCodes.InternalServerError,
      error: reasons.writeConflict.sentence,
      reason: 'writeConflict',
      message,
    })
  }
  log.error({ err: error, requestId: reply.request.id }, 'request failed')
  if (isUnavailable(error)) {
    return reply.code(503).header('Retry-After', '1').send({
      code: errorCodes.InternalServerError,
      error: reasons.databaseUnavailable.sentence,
      reason: 'databaseUnavailable',
      message,
    })
  }
  return reply
    .code(500)
    .send({ code: errorCodes.InternalServerError, error: message, reason: 'internalServerError', message })
}

/** A refusal on the wire: number and sentence for older clients, the stable name for programs. */
export type Refusal = { code: number; error: string; reason: string; params?: ReasonParams; object?: WireFields }

function describeRefusal({ code, message, reason, params, object }: CountersignError): Refusal {
  return { code, error: message, reason, ...(params && { params }), ...(object && { object }) }
}

/** An error as one of the responses of a batch. */
export function describeError(error: unknown, log: Logger): Refusal {
  if (error instanceof Unauthorized)
    return { code: errorCodes.OperationForbidden, error: error.message, reason: 'unauthorized' }
  const known = toCountersignError(error, log)
  if (known) return describeRefusal(known)
  log.error({ err: error }, 'request of a batch failed')
  return { code: errorCodes.InternalServerError, error: 'Internal server error.', reason: 'internalServerError' }
}

/** The refusal that an error stands for; `undefined` where it is a failure of ours. */
function toCountersignError(error: unknown, log: Logger): CountersignError | undefined {
  if (error instanceof CountersignError) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refuse('bodyTooLarge')
  }
  if (typeof code !== 'string') return undefined
  if (code.startsWith('FST_ERR_CTP') || code === 'FST_ERR_BAD_URL')
    return new CountersignError('InvalidJson', 'The request cannot be read.')
  // Our own functions in the database refuse with CS and the code.
  if (/^CS\d{3}$/.test(code)) return new CountersignError(Number(code.slice(2)), String(message))
  // The account, or another row that this one belongs to, was deleted during the request.
  if (isForeignKeyViolation(error)) {
    log.warn({ err: error }, 'a row that the request refers to is gone')
    return refuse('objectNotFound')
  }
  // Class 22: a value that the database cannot hold, such as a number out of range or half a surrogate pair.
  if (/^22...$/.test(code)) {
    return new CountersignError(
      'InvalidJson',
      'A value cannot be stored: a number is out of range, or a text is not valid Unicode.',
    )
  }
  // Nested deeper, or with more parts, than the database reads.
  if (code === '54001' || code === '54023') {
    return new CountersignError('InvalidQuery', 'The request is too complex. Request less data.')
  }
  // Class 54: more than the database takes, such as a long text in a field that has an index.
  if (/^54...$/.test(code)) {
    return new CountersignError(
      'ObjectTooLarge',
      'A value is too large: an indexed field can have at most about 2,600 bytes.',
    )
  }
  return undefined
}
