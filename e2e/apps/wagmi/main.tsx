import { createClient, disconnectWallet, initialize, signInWithWallet, signOut } from '@countersign/react/core'
import { createWagmiConnector, watchWagmi } from '@countersign/react/wagmi'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { mainnet, polygon } from 'viem/chains'
import { createConfig, http, useConnect, useConnection, useConnectors, useDisconnect, WagmiProvider } from 'wagmi3'
import { connect } from 'wagmi3/actions'
import { addButton } from '../lib/addButton.ts'
import { readQuery } from '../lib/readQuery.ts'
import { showClient } from '../lib/showClient.ts'

const { appId, serverUrl } = readQuery()
const config = createConfig({
  chains: [mainnet, polygon],
  transports: { [mainnet.id]: http('/rpc'), [polygon.id]: http('/rpc') },
})
// A page with a window of its own to choose a wallet in would open that.
const open = () => config.connectors[0] && connect(config, { connector: config.connectors[0] })
const client = createClient({
  appId,
  serverUrl,
  throwOnError: true,
  connectors: [createWagmiConnector(config, { open })],
})

/** The wallet button that the application had before. */
function WalletButton() {
  const { address } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  if (address) {
    return (
      <button type="button" onClick={() => disconnect.mutate({})}>
        wagmi: disconnect {address}
      </button>
    )
  }
  return connectors.map((connector) => (
    <button type="button" key={connector.uid} onClick={() => connect.mutate({ connector })}>
      wagmi: {connector.name}
    </button>
  ))
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <WalletButton />
    </QueryClientProvider>
  </WagmiProvider>,
)
watchWagmi(client, config)
showClient(client)
addButton('Sign in', () => signInWithWallet(client))
addButton('Sign in by wagmi', () => signInWithWallet(client, { connector: 'wagmi' }))
addButton('Sign out', () => signOut(client))
addButton('Disconnect', () => disconnectWallet(client))
await initialize(client)
