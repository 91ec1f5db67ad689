import { ValidationError } from '../errors/ValidationError.ts'
import { missingWallet } from './missingWallet.ts'
import type { SignerInput } from './Signer.ts'

/** The signer of an action's input, checked before anything is asked or moved. */
export function readSigner({ signer, chainId }: Partial<SignerInput>): SignerInput {
  if (!signer || typeof signer.getAccount !== 'function' || typeof signer.signMessage !== 'function') {
    throw missingWallet()
  }
  if (signer.namespace !== 'eip155' && signer.namespace !== 'solana') {
    throw new ValidationError('namespace of a signer can only be eip155 or solana')
  }
  if (chainId !== undefined && typeof chainId !== 'number' && typeof chainId !== 'string') {
    throw new ValidationError('chainId can only be a number or a string type')
  }
  return chainId === undefined ? { signer } : { signer, chainId }
}
