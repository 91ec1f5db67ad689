import { CountersignError } from '@countersign/protocol'

/**
 * Why the browser gave no passkey. `cancelled`: the person said no, or the time ran out, which is no fault. `known`: the
 * device holds a passkey of this account already. `unsupported`: this browser, device or address cannot do it.
 */
export type PasskeyErrorReason = 'cancelled' | 'known' | 'unsupported' | 'failed'

const sentences: Record<PasskeyErrorReason, string> = {
  cancelled: 'No passkey was used: it was cancelled, or it took too long.',
  known: 'This device has a passkey for your account already.',
  unsupported: 'Passkeys do not work in this browser, on this device or at this address.',
  failed: 'The passkey could not be used.',
}

const reasons = new Map<unknown, PasskeyErrorReason>([
  ['NotAllowedError', 'cancelled'],
  ['AbortError', 'cancelled'],
  ['InvalidStateError', 'known'],
  ['NotSupportedError', 'unsupported'],
  ['ConstraintError', 'unsupported'],
  ['SecurityError', 'unsupported'],
])

/** The browser gave no passkey. */
export class PasskeyError extends CountersignError {
  override readonly name: string = 'PasskeyError'
  readonly reason: PasskeyErrorReason

  /** The reason, or the browser's own error, whose name tells it. */
  constructor(cause: 'unsupported' | Error) {
    const reason = cause === 'unsupported' ? cause : (reasons.get(cause.name) ?? 'failed')
    super(
      'OtherCause',
      sentences[reason],
      cause === 'unsupported' ? { details: 'Passkeys need https, or localhost.' } : { cause, details: cause.message },
    )
    this.reason = reason
  }
}
