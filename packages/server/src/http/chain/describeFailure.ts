import { CountersignError, reasons } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'

/** What went wrong with a part of an answer. Nothing of the server's own leaves it, such as what a database says. */
export function describeFailure({ log }: Context, error: unknown): { error: string; reason: string } {
  if (error instanceof CountersignError) return { error: error.message, reason: error.reason }
  log.error({ err: error }, 'a part of an answer failed')
  return { error: reasons.internalServerError.sentence, reason: 'internalServerError' }
}
