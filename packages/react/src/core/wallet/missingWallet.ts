import { ValidationError } from '../errors/ValidationError.ts'

/** R15: there is no wallet to ask. */
export function missingWallet(): ValidationError {
  return new ValidationError(
    'Missing web3 instance, make sure to call enableWeb3 or authenticate',
    'Give a signer: { namespace, getAccount, signMessage }, or one made by createEip1193Signer(provider).',
  )
}
