import type { WalletEvent, WalletLink } from '../Connector.ts'
import { createEip1193Signer } from '../createEip1193Signer.ts'
import type { Eip1193Provider } from '../Eip1193Provider.ts'
import type { Signer } from '../Signer.ts'
import { findConnection } from './findConnection.ts'
import type { WagmiConfig, WagmiConnection } from './WagmiConfig.ts'

/** The connection that wagmi has, as one of ours. When wagmi goes over to another wallet, this one ends. */
export async function createWagmiLink(config: WagmiConfig, connection: WagmiConnection): Promise<WalletLink> {
  const { connector } = connection
  const provider = (await connector.getProvider()) as Eip1193Provider
  const find = () => {
    const present = findConnection(config)
    return present?.connector.uid === connector.uid ? present : undefined
  }
  const signer: Signer = {
    namespace: 'eip155',
    // As wagmi has it: pages show that account, whichever the wallet would name first.
    async getAccount() {
      const present = find()
      const address = present?.accounts[0]
      return present && address !== undefined ? { address, chainId: present.chainId } : undefined
    },
    signMessage: createEip1193Signer(provider).signMessage,
  }
  return {
    accounts: connection.accounts,
    chainId: connection.chainId,
    provider,
    signer,
    watch: (listener) => watch(config, connection, find, listener),
    async disconnect() {
      await connector.disconnect()
      // What wagmi's own disconnect does to its state, which it does by itself for a wallet that leaves.
      if (find()) connector.emitter.emit('disconnect')
    },
  }
}

function watch(
  config: WagmiConfig,
  start: WagmiConnection,
  find: () => WagmiConnection | undefined,
  listener: (event: WalletEvent) => void,
): () => void {
  let last: WagmiConnection | undefined = start
  return config.subscribe(
    (state) => state,
    () => {
      const previous = last
      if (!previous) return
      last = find()
      if (!last) return listener({ type: 'disconnected' })
      const { accounts, chainId } = last
      if (chainId !== previous.chainId) listener({ type: 'chainChanged', chainId })
      if (String(accounts) !== String(previous.accounts)) listener({ type: 'accountsChanged', accounts })
    },
  )
}
