import type { Client } from '../Client.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { findOpenSigner } from './findOpenSigner.ts'
import { missingWallet } from './missingWallet.ts'
import type { SignerInput } from './Signer.ts'

/** The wallet of an action's input, checked before anything is asked or moved. `shown` is the account on the page. */
export type ChosenSigner = SignerInput & { readonly shown?: string }

export function readSigner(client: Client, input: SignerInput | undefined): ChosenSigner {
  const { signer, connector, chainId, onMessage, onSigned, onUri } = input ?? {}
  if (chainId !== undefined && typeof chainId !== 'number' && typeof chainId !== 'string') {
    throw new ValidationError('chainId can only be a number or a string type')
  }
  const rest = { chainId, onMessage, onSigned, onUri }
  if (signer === undefined && connector !== undefined) {
    if (typeof connector !== 'string' && typeof connector?.connect !== 'function') throw missingWallet()
    return { connector, ...rest }
  }
  const open = signer === undefined ? findOpenSigner(client) : undefined
  if (open) return { ...open, ...rest }
  if (!signer || typeof signer.getAccount !== 'function' || typeof signer.signMessage !== 'function') {
    throw missingWallet()
  }
  if (signer.namespace !== 'eip155' && signer.namespace !== 'solana') {
    throw new ValidationError('namespace of a signer can only be eip155 or solana')
  }
  return { signer, ...rest }
}
