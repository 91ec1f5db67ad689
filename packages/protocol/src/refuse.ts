import { CountersignError, type CountersignErrorOptions } from './CountersignError.ts'
import type { ErrorName } from './errorCodes.ts'
import { type NamedReason, type ReasonDefinition, type ReasonParams, reasons } from './reasons.ts'

type RefusalOptions = Omit<CountersignErrorOptions, 'reason' | 'params'> & {
  /** The number and the sentence that older clients know for it, where they are not those of the table. */
  code?: ErrorName
  sentence?: string
}

/**
 * A refusal by its name in the table of reasons.
 *
 * @example
 * if (challenge.expires <= clock.now()) throw refuse('challengeExpired')
 */
export function refuse(
  reason: NamedReason,
  params?: ReasonParams,
  { code: older, sentence: olderSentence, ...options }: RefusalOptions = {},
): CountersignError {
  const { code, status, sentence }: ReasonDefinition = reasons[reason]
  return new CountersignError(older ?? code, olderSentence ?? fillIn(sentence, params), {
    ...(status !== undefined && { status }),
    ...options,
    reason,
    ...(params && { params }),
  })
}

function fillIn(sentence: string, params: ReasonParams = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole))
}
