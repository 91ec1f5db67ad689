'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { Connector } from '../../core/state/Connector.ts'
import type { AccountMismatch, WalletState } from '../../core/state/WalletState.ts'
import { connectWallet, disconnectWallet, dismissMismatch } from '../../core/wallet/connectWallet.ts'
import { signMessage } from '../../core/wallet/signMessage.ts'
import { addChain, switchChain } from '../../core/wallet/switchChain.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction, usePlainAction } from '../client/useMutation.ts'

const unknown: WalletState = { status: 'reconnecting' }

/**
 * The wallet in use: account, chain, connector and provider. Nothing is asked of its owner.
 *
 * @example
 * const wallet = useWallet()
 * if (wallet.status === 'connected') return <p>{wallet.account} on chain {wallet.chainId}</p>
 */
export function useWallet(): WalletState {
  const { wallet } = useClient()
  return useSyncExternalStore(wallet.subscribe, wallet.get, () => unknown)
}

const none: readonly Connector[] = []

/**
 * Available wallets; those announced later appear automatically.
 *
 * @example
 * const { connectWallet } = useConnectWallet()
 * return useConnectors().map((connector) => (
 *   <button key={connector.id} onClick={() => connectWallet({ connector })}>{connector.name}</button>
 * ))
 */
export function useConnectors(): readonly Connector[] {
  const { connectors } = useClient()
  return useSyncExternalStore(connectors.subscribe, connectors.get, () => none)
}

export type UseConnectWallet = ActionHook<'connectWallet', typeof connectWallet>

/**
 * Connects a wallet; call it on a click.
 *
 * @example
 * const { connectWallet, status } = useConnectWallet()
 * <button disabled={status === 'pending'} onClick={() => connectWallet({ connector: 'injected' })}>Connect</button>
 */
export function useConnectWallet(): UseConnectWallet {
  return useAction('connectWallet', connectWallet)
}

export type UseDisconnectWallet = ActionHook<'disconnectWallet', typeof disconnectWallet>

/**
 * Forgets the wallet; the session stays as it is.
 *
 * @example
 * const { disconnectWallet } = useDisconnectWallet()
 * <button onClick={() => disconnectWallet()}>Disconnect</button>
 */
export function useDisconnectWallet(): UseDisconnectWallet {
  return usePlainAction('disconnectWallet', disconnectWallet)
}

export type UseAccountMismatch = { readonly mismatch: AccountMismatch | undefined; readonly dismiss: () => void }

/**
 * Set while the wallet is on an account that is not linked to the signed-in user. Link it, sign in with it, or dismiss.
 *
 * @example
 * const { mismatch, dismiss } = useAccountMismatch()
 * if (mismatch) return <p>Wallet is on {mismatch.account}, you are signed in as {mismatch.signedInAs}. <button onClick={dismiss}>Keep</button></p>
 */
export function useAccountMismatch(): UseAccountMismatch {
  const client = useClient()
  const { subscribe, get } = client.mismatch
  const mismatch = useSyncExternalStore(subscribe, get, () => undefined)
  return { mismatch, dismiss: useCallback(() => dismissMismatch(client), [client]) }
}

export type UseSwitchChain = ActionHook<'switchChain', typeof switchChain>

/**
 * Asks the connected wallet to change to a chain.
 *
 * @example
 * const { switchChain } = useSwitchChain()
 * <button onClick={() => switchChain({ chainId: 8453 })}>Change to Base</button>
 */
export function useSwitchChain(): UseSwitchChain {
  return useAction('switchChain', switchChain)
}

export type UseAddChain = ActionHook<'addChain', typeof addChain>

/**
 * Adds a chain to the connected wallet.
 *
 * @example
 * const { addChain } = useAddChain()
 * <button onClick={() => addChain(base)}>Add Base</button>
 */
export function useAddChain(): UseAddChain {
  return useAction('addChain', addChain)
}

export type UseSignMessage = ActionHook<'signMessage', typeof signMessage>

/**
 * Has the connected wallet sign a text.
 *
 * @example
 * const { signMessage, status } = useSignMessage()
 * <button onClick={() => signMessage({ message: 'I was here' })}>Sign</button>
 */
export function useSignMessage(): UseSignMessage {
  return useAction('signMessage', signMessage)
}
