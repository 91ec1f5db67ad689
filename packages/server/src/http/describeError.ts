import { errorCodes } from '@countersign/protocol'
import type { Logger } from 'pino'
import { toCountersignError } from './toCountersignError.ts'
import { Unauthorized } from './Unauthorized.ts'

/** An error as one of the answers of a batch. */
export function describeError(error: unknown, log: Logger): { code: number; error: string } {
  if (error instanceof Unauthorized) return { code: errorCodes.OperationForbidden, error: error.message }
  const known = toCountersignError(error)
  if (known) return { code: known.code, error: known.message }
  log.error({ err: error }, 'request of a batch failed')
  return { code: errorCodes.InternalServerError, error: 'Internal server error.' }
}
