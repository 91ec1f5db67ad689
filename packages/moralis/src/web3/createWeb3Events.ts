import type { Client, WalletState } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import type { Web3State } from './createWeb3Reader.ts'

type Listener = (payload: Loose) => void

/** The events of the older SDK, made from the state of the wallet. Nothing is watched before someone listens. */
export function createWeb3Events(client: Client, read: (state: WalletState) => Web3State) {
  const listeners = new Map<string, Set<Listener>>()
  let before: Web3State | undefined

  function emit(name: string, payload?: Loose): void {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(payload)
  }

  function compare(): void {
    const last = before
    const now = read(client.wallet.get())
    before = now
    if (!last || last === now) return
    if (now.isWeb3Enabled && !last.isWeb3Enabled) {
      const { chainId, account, connector, provider, web3 } = now
      emit('provider-connect', { chainId })
      emit('web3Enabled', { chainId, account, connector, provider, web3 })
    } else if (!now.isWeb3Enabled && last.isWeb3Enabled) {
      emit('accountChanged', null)
      emit('provider-disconnect', Object(client.wallet.get()).error)
      emit('web3Deactivated', { connector: last.connector, provider: last.provider })
    } else {
      if (now.chainId !== last.chainId) emit('chainChanged', now.chainId)
      if (now.account !== last.account) emit('accountChanged', now.account)
    }
  }

  function on(name: string, listener: Listener): () => void {
    if (!before) {
      before = read(client.wallet.get())
      client.wallet.subscribe(compare)
    }
    const all = listeners.get(name) ?? new Set()
    listeners.set(name, all.add(listener))
    return () => off(name, listener)
  }

  function off(name: string, listener: Listener): void {
    listeners.get(name)?.delete(listener)
  }

  function once(name: string, listener: Listener): () => void {
    const stop = on(name, (payload) => {
      stop()
      listener(payload)
    })
    return stop
  }

  const watch = (name: string) => (listener: Listener) => on(name, listener)
  return {
    on,
    once,
    off,
    addListener: on,
    removeListener: off,
    removeAllListeners(name?: string) {
      if (name === undefined) listeners.clear()
      else listeners.delete(name)
    },
    onWeb3Enabled: watch('web3Enabled'),
    onWeb3Deactivated: watch('web3Deactivated'),
    onConnect: watch('provider-connect'),
    onDisconnect: watch('provider-disconnect'),
    onChainChanged: watch('chainChanged'),
    onAccountChanged: watch('accountChanged'),
  }
}
