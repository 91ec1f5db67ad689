import type { Client } from '../client/Client.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { ValidationError } from '../errors/errors.ts'
import type { Connector } from '../state/Connector.ts'
import type { ConnectedWallet } from '../state/WalletState.ts'
import { loadWalletLayer } from './loadWalletLayer.ts'
import { missingWallet } from './proof/missingWallet.ts'
import { openPrompt } from './proof/openPrompt.ts'

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
export function connectWallet<
  Given extends Callbacks<ConnectedWallet, ActionError<'connectWallet'>> = Callbacks<
    ConnectedWallet,
    ActionError<'connectWallet'>
  >,
>(
  client: Client,
  input: ConnectWalletInput = {},
  callbacks: Given = {} as Given,
): Promise<Result<ConnectedWallet, Given>> {
  return connect(client, input, callbacks, false)
}

/** As `connectWallet`, for the flow of our own, which signs in next: a wallet that can does both by one prompt. */
export function connectToSignIn<Given extends Callbacks<ConnectedWallet, ActionError<'connectWallet'>>>(
  client: Client,
  input: ConnectWalletInput,
  callbacks: Given,
): Promise<Result<ConnectedWallet, Given>> {
  return connect(client, input, callbacks, true)
}

function connect<Given extends Callbacks<ConnectedWallet, ActionError<'connectWallet'>>>(
  client: Client,
  input: ConnectWalletInput,
  callbacks: Given,
  signsIn: boolean,
): Promise<Result<ConnectedWallet, Given>> {
  return runOperation(client, callbacks, async () => {
    const { connector: given, chainId, onUri } = input
    if (typeof given === 'object' && typeof given?.connect !== 'function') throw missingWallet()
    if (chainId !== undefined && typeof chainId !== 'number')
      throw new ValidationError('chainId can only be a number type')
    return openPrompt(client, ['connect', given, chainId], callbacks.signal, async ({ signal }) => {
      const { connectChosen } = await loadWalletLayer()
      return connectChosen(client, given, { chainId, onUri, signal, signsIn })
    })
  })
}

/**
 * Connects the wallet used last again, if it still shares an account. It never opens a window, and never fails.
 *
 * @example
 * await reconnectWallet(client)
 */
export async function reconnectWallet(client: Client): Promise<void> {
  const layer = await loadWalletLayer().catch(() => undefined)
  await layer?.resumeWallet(client)
}

/**
 * Disconnects the wallet, and asks it to revoke its permission if it can. The session stays as it is.
 *
 * @example
 * await disconnectWallet(client)
 */
export function disconnectWallet<
  Given extends Callbacks<void, ActionError<'disconnectWallet'>> = Callbacks<void, ActionError<'disconnectWallet'>>,
>(client: Client, callbacks: Given = {} as Given): Promise<Result<void, Given>> {
  return runOperation(client, callbacks, async () => {
    client.internal.prompt?.cancel()
    const { quitWallet } = await loadWalletLayer()
    await quitWallet(client)
  })
}

/**
 * Leaves the session and the wallet as they are, on two accounts, until the wallet changes again.
 *
 * @example
 * if (client.mismatch.get()) dismissMismatch(client)
 */
export function dismissMismatch(client: Client): void {
  client.internal.keptAccount = client.mismatch.get()?.account
  client.internal.showMismatch?.()
}
