import { CountersignError, errorCodes } from '@countersign/protocol'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { isUnavailable } from '../db/databaseErrors.ts'
import { Unauthorized } from './Unauthorized.ts'

/** The one place where an error becomes an answer. Nothing of SQL, stack or path leaves through here. */
export function answerError(reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  if (error instanceof Unauthorized) return reply.code(403).send({ error: error.message })
  const known = toCountersignError(error)
  if (known) {
    if (known.rateLimit?.retryAfter !== undefined) reply.header('Retry-After', String(known.rateLimit.retryAfter))
    return reply
      .code(known.status)
      .send({ code: known.code, error: known.message, ...(known.details && { details: known.details }) })
  }
  log.error({ err: error, requestId: reply.request.id }, 'request failed')
  const message = 'Internal server error.'
  if (isUnavailable(error)) {
    return reply
      .code(503)
      .header('Retry-After', '1')
      .send({ code: errorCodes.InternalServerError, error: 'The database is not available.', message })
  }
  return reply.code(500).send({ code: errorCodes.InternalServerError, error: message, message })
}

function toCountersignError(error: unknown): CountersignError | undefined {
  if (error instanceof CountersignError) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new CountersignError('ObjectTooLarge', 'The request is too large.', { status: 413 })
  }
  if (typeof code !== 'string') return undefined
  if (code.startsWith('FST_ERR_CTP') || code === 'FST_ERR_BAD_URL')
    return new CountersignError('InvalidJson', 'The request cannot be read.')
  // Our own functions in the database refuse with CS and the code.
  if (/^CS\d{3}$/.test(code)) return new CountersignError(Number(code.slice(2)), String(message))
  // Class 22: a value that the database cannot hold, such as a number out of range or half a surrogate pair.
  if (/^22...$/.test(code)) {
    return new CountersignError(
      'InvalidJson',
      'A value cannot be stored: a number is out of range, or a text is not valid Unicode.',
    )
  }
  return undefined
}
