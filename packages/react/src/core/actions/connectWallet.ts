import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { runAction } from '../runAction.ts'
import type { Connector } from '../wallet/Connector.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { missingWallet } from '../wallet/missingWallet.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import type { ConnectedWallet } from '../wallet/WalletState.ts'

export type ConnectWalletInput = {
  /** A connector, its id, or `injected` (default), `walletconnect`, `wc`, `network`, `magicLink`, `web3Auth`, `phantom`. */
  readonly connector?: Connector | string
  /** The chain that the wallet is asked to be on. */
  readonly chainId?: number
  /** Called with the text that another device connects by, to be shown as a QR code. */
  readonly onUri?: (uri: string) => void
}

/**
 * Connects a wallet; it may ask its owner, so call it on a click. A second call for the same wallet shares the outcome
 * of the first. The wallet that was connected before stays until the new one is.
 *
 * @example
 * const wallet = await connectWallet(client, { connector: 'injected' })
 * console.log(wallet?.account, wallet?.chainId)
 */
export function connectWallet(
  client: Client,
  input: ConnectWalletInput = {},
  callbacks: Callbacks<ConnectedWallet> = {},
): Promise<ConnectedWallet | undefined> {
  return runAction(client, callbacks, async () => {
    const { connector: given, chainId, onUri } = input
    if (typeof given === 'object' && typeof given?.connect !== 'function') throw missingWallet()
    if (chainId !== undefined && typeof chainId !== 'number')
      throw new ValidationError('chainId can only be a number type')
    return openPrompt(client, ['connect', given, chainId], callbacks.signal, async ({ signal }) => {
      const { connectChosen } = await loadWalletLayer()
      return connectChosen(client, given, { chainId, onUri, signal })
    })
  })
}
