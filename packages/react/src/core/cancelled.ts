import { CountersignError } from '@countersign/protocol'

/** Whoever asked took it back. */
export function cancelled({ reason }: AbortSignal): CountersignError {
  return new CountersignError('OtherCause', 'The request was cancelled.', {
    details: 'By the signal that was given, or because nobody waited for it any more.',
    cause: reason,
  })
}
