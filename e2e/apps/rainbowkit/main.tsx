import { CountersignProvider, createClient, useSession } from '@countersign/react'
import { linkWallet, type Signer } from '@countersign/react/core'
import { createRainbowKitAdapter, toRainbowKitStatus } from '@countersign/react/rainbowkit'
import { watchWagmi } from '@countersign/react/wagmi'
import { ConnectButton, RainbowKitAuthenticationProvider, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { toHex } from 'viem'
import { mainnet, polygon } from 'viem/chains'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { addButton } from '../lib/addButton.ts'
import { readQuery } from '../lib/readQuery.ts'
import { showClient } from '../lib/showClient.ts'

const { appId, serverUrl } = readQuery()
const config = createConfig({
  chains: [mainnet, polygon],
  transports: { [mainnet.id]: http('/rpc'), [polygon.id]: http('/rpc') },
})
const client = createClient({ appId, serverUrl })
const adapter = createRainbowKitAdapter(client, { config })

function Wallets({ children }: { children: ReactNode }) {
  const status = toRainbowKitStatus(useSession())
  return (
    <RainbowKitAuthenticationProvider adapter={adapter} status={status}>
      <RainbowKitProvider>{children}</RainbowKitProvider>
    </RainbowKitAuthenticationProvider>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <CountersignProvider client={client} initializeOnMount>
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Wallets>
          <ConnectButton />
        </Wallets>
      </QueryClientProvider>
    </WagmiProvider>
  </CountersignProvider>,
)
watchWagmi(client, config)
showClient(client)
addButton('Link the second account', async () => {
  const { request } = (window as unknown as { ethereum: { request: (call: object) => Promise<string> } }).ethereum
  const [, address = ''] = await request({ method: 'eth_accounts' })
  const signer: Signer = {
    namespace: 'eip155',
    getAccount: async () => ({ address, chainId: 1 }),
    signMessage: (text) => request({ method: 'personal_sign', params: [toHex(text), address] }),
  }
  await linkWallet(client, { signer })
})
