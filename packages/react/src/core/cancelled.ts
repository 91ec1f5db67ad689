import { CountersignError } from '@countersign/protocol'

/** The caller withdrew the request. */
export function cancelled({ reason }: AbortSignal): CountersignError {
  return new CountersignError('OtherCause', 'The request was cancelled.', {
    reason: 'cancelled',
    details: 'By the signal that was given, or because nobody waited for it any more.',
    cause: reason,
  })
}
