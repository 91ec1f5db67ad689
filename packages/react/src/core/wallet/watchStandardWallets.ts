import type { Connector } from './Connector.ts'
import { createSolanaConnector } from './connectors/createSolanaConnector.ts'
import { readIcon, readLine } from './readAnnouncement.ts'
import type { StandardWallet } from './StandardWallet.ts'

const limit = 50

/**
 * Finds the Solana wallets of the browser by Wallet Standard, also those that come late, and tells of all that are there
 * whenever one comes or goes. A second one of the same name gets an id of its own (S24).
 */
export function watchStandardWallets(listener: (connectors: readonly Connector[]) => void): () => void {
  const known = new Map<StandardWallet, Connector>()
  const api = {
    register(...wallets: unknown[]): () => void {
      const added = wallets.filter((wallet) => isSolanaWallet(wallet) && !known.has(wallet)) as StandardWallet[]
      for (const wallet of added.slice(0, limit - known.size)) {
        const name = readLine(wallet.name)
        const copies = [...known.values()].filter((one) => one.name === name).length
        const id = `solana:${name}${copies > 0 ? `#${copies + 1}` : ''}`
        known.set(wallet, createSolanaConnector(wallet, { id, name, icon: readIcon(wallet.icon) }))
      }
      if (added.length > 0) listener([...known.values()])
      return () => {
        const gone = added.filter((wallet) => known.delete(wallet))
        if (gone.length > 0) listener([...known.values()])
      }
    },
  }
  const hear = (event: Event) => {
    try {
      ;(event as CustomEvent<(registry: typeof api) => void>).detail(api)
    } catch {
      // A wallet that fails at this is as good as not there.
    }
  }
  window.addEventListener('wallet-standard:register-wallet', hear)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => window.removeEventListener('wallet-standard:register-wallet', hear)
}

function isSolanaWallet(wallet: unknown): wallet is StandardWallet {
  const { name, chains, features } = Object(wallet)
  return (
    typeof name === 'string' &&
    name !== '' &&
    Array.isArray(chains) &&
    chains.some((chain) => String(chain).startsWith('solana:')) &&
    typeof features?.['standard:connect']?.connect === 'function' &&
    ('solana:signMessage' in features || 'solana:signIn' in features)
  )
}
