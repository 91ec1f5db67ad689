import { ValidationError } from '../../errors/errors.ts'

/** Error for a missing wallet. */
export function missingWallet(details = 'Connect a wallet first, or pass a connector or a signer.'): ValidationError {
  return new ValidationError('Missing web3 instance, make sure to call enableWeb3 or authenticate', details)
}
