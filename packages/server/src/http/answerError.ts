import { errorCodes, reasons } from '@countersign/protocol'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { isConflict, isUnavailable } from '../db/databaseErrors.ts'
import { describeRefusal } from './describeError.ts'
import { toCountersignError } from './toCountersignError.ts'
import { Unauthorized } from './Unauthorized.ts'

/** The one place where an error becomes an answer. Nothing of SQL, stack or path leaves through here. */
export function answerError(reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  if (error instanceof Unauthorized) return reply.code(403).send({ error: error.message, reason: 'unauthorized' })
  const known = toCountersignError(error)
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
