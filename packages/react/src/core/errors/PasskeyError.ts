import { CountersignError } from '@countersign/protocol'

/**
 * Why the browser gave no passkey. `passkeyCancelled`: the person said no, or the time ran out, which is no fault. `passkeyKnown`: the
 * device holds a passkey of this account already. `passkeyUnsupported`: this browser, device or address cannot do it.
 */
export type PasskeyErrorReason = 'passkeyCancelled' | 'passkeyKnown' | 'passkeyUnsupported' | 'passkeyFailed'

const sentences: Record<PasskeyErrorReason, string> = {
  passkeyCancelled: 'No passkey was used. The request was canceled or timed out.',
  passkeyKnown: 'This device already has a passkey for your account.',
  passkeyUnsupported: 'Passkeys are not supported by this browser, device or page address.',
  passkeyFailed: 'The passkey could not be used.',
}

const reasons = new Map<unknown, PasskeyErrorReason>([
  ['NotAllowedError', 'passkeyCancelled'],
  ['AbortError', 'passkeyCancelled'],
  ['InvalidStateError', 'passkeyKnown'],
  ['NotSupportedError', 'passkeyUnsupported'],
  ['ConstraintError', 'passkeyUnsupported'],
  ['SecurityError', 'passkeyUnsupported'],
])

/**
 * The browser gave no passkey.
 *
 * @example
 * try {
 *   await signInWithPasskey(client, { throwOnError: true })
 * } catch (error) {
 *   if (error instanceof PasskeyError && error.reason !== 'passkeyCancelled') showToast(error.message)
 * }
 */
export class PasskeyError extends CountersignError {
  override readonly name: string = 'PasskeyError'
  declare readonly reason: PasskeyErrorReason

  /** The reason, or the browser's own error with its name. */
  constructor(cause: 'passkeyUnsupported' | Error) {
    const reason = cause === 'passkeyUnsupported' ? cause : (reasons.get(cause.name) ?? 'passkeyFailed')
    super(
      'OtherCause',
      sentences[reason],
      cause === 'passkeyUnsupported'
        ? { reason, details: 'Passkeys need https, or localhost.' }
        : { reason, cause, details: cause.message },
    )
  }
}
