import { CountersignError } from '@countersign/protocol'

/** What was signed is not the account's that was asked. */
export function changedAccount(): CountersignError {
  return new CountersignError('OtherCause', 'The account of the wallet changed while it signed.', {
    reason: 'walletAccountChanged',
    details: 'Nobody was signed in. Ask again, for the account that the wallet is on now.',
  })
}
