import { CountersignError } from '@countersign/protocol'

/** R15: the wallet is connected and shares no account. */
export function missingAccount(): CountersignError {
  return new CountersignError('OtherCause', 'Cannot authenticate, no account returned from provider', {
    details: 'The wallet is locked, or the person shared no account with this page. Unlock it and connect again.',
  })
}
