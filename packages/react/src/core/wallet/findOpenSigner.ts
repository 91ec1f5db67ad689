import type { Client } from '../Client.ts'
import type { Connector } from './Connector.ts'
import type { Signer } from './Signer.ts'

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
