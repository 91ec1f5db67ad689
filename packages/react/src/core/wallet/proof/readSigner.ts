import type { ChallengePurpose } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { ValidationError } from '../../errors/errors.ts'
import type { Connector, Signer, SignerInput } from '../../state/Connector.ts'
import { missingWallet } from './missingWallet.ts'

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

/** The signer of the connected wallet, and the account that is shown; with a connector, only if it is by that one. */
export function findOpenSigner(
  { internal }: Client,
  connector?: Connector,
): { readonly signer: Signer; readonly shown: string | undefined } | undefined {
  const state = internal.wallet.get()
  const { open } = internal.walletParts
  if (state.status !== 'connected' || !open?.signer) return undefined
  if (connector && open.connector.id !== connector.id) return undefined
  return { signer: open.signer, shown: state.account }
}

/** Key of a signature request. */
export function signRequestKey(purpose: ChallengePurpose, chosen: ChosenSigner): readonly unknown[] {
  return [purpose, chosen.signer, chosen.connector, chosen.chainId]
}
