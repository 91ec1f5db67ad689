import { type CountersignError, errorCodes, type ReasonParams } from '@countersign/protocol'
import type { Logger } from 'pino'
import { toCountersignError } from './toCountersignError.ts'
import { Unauthorized } from './Unauthorized.ts'

/** A refusal on the wire: number and sentence for older clients, the stable name for programs. */
export type Refusal = { code: number; error: string; reason: string; params?: ReasonParams }

export function describeRefusal({ code, message, reason, params }: CountersignError): Refusal {
  return { code, error: message, reason, ...(params && { params }) }
}

/** An error as one of the answers of a batch. */
export function describeError(error: unknown, log: Logger): Refusal {
  if (error instanceof Unauthorized)
    return { code: errorCodes.OperationForbidden, error: error.message, reason: 'unauthorized' }
  const known = toCountersignError(error)
  if (known) return describeRefusal(known)
  log.error({ err: error }, 'request of a batch failed')
  return { code: errorCodes.InternalServerError, error: 'Internal server error.', reason: 'internalServerError' }
}
