import type { WalletEvent } from './Connector.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'
import { readAccounts } from './readAccounts.ts'

/** Said when MetaMask loses its own node for a moment; the wallet is still there. */
const passing = 'MetaMask: Disconnected from chain. Attempting to connect.'

/** Follows the events of an EVM wallet. */
export function watchEip1193(provider: Eip1193Provider, listener: (event: WalletEvent) => void): () => void {
  const showChain = (chainId: unknown) => {
    const id = Number(chainId)
    if (Number.isSafeInteger(id) && id > 0) listener({ type: 'chainChanged', chainId: id })
  }
  const listeners: Record<string, (payload: unknown) => void> = {
    accountsChanged: (accounts) => listener({ type: 'accountsChanged', accounts: readAccounts(accounts) }),
    chainChanged: showChain,
    connect: (info) => showChain(Object(info).chainId),
    disconnect(reason) {
      if (Object(reason).message !== passing) listener({ type: 'disconnected', reason })
    },
  }
  for (const [event, act] of Object.entries(listeners)) provider.on?.(event, act)
  return () => {
    for (const [event, act] of Object.entries(listeners)) provider.removeListener?.(event, act)
  }
}
