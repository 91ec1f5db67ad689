import { ValidationError } from '../errors/ValidationError.ts'

/** R15: there is no wallet to ask. */
export function missingWallet(
  details = 'Connect a wallet first, name a connector, or give a signer, such as createEip1193Signer(provider).',
): ValidationError {
  return new ValidationError('Missing web3 instance, make sure to call enableWeb3 or authenticate', details)
}
