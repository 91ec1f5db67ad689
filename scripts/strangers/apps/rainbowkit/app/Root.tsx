'use client'

import '@rainbow-me/rainbowkit/styles.css'
import {
  createAuthenticationAdapter,
  RainbowKitAuthenticationProvider,
  RainbowKitProvider,
} from '@rainbow-me/rainbowkit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { createSiweMessage } from 'viem/siwe'
import { WagmiProvider } from 'wagmi'
import { wagmiConfig } from './wagmiConfig'

type Siwe = { status: 'loading' | 'unauthenticated' | 'authenticated'; address?: string }

const queryClient = new QueryClient()
const SiweContext = createContext<Siwe>({ status: 'loading' })

export const useSiwe = () => useContext(SiweContext)

export function Root({ children }: { children: ReactNode }) {
  const [siwe, setSiwe] = useState<Siwe>({ status: 'loading' })
  useEffect(() => {
    fetch('/api/me')
      .then((answer) => answer.json())
      .then(({ address }) => setSiwe({ status: address ? 'authenticated' : 'unauthenticated', address }))
  }, [])
  const adapter = useMemo(
    () =>
      createAuthenticationAdapter({
        getNonce: async () => (await fetch('/api/nonce')).text(),
        createMessage: ({ nonce, address, chainId }) =>
          createSiweMessage({
            domain: window.location.host,
            address,
            statement: 'Sign in with Ethereum to the app.',
            uri: window.location.origin,
            version: '1',
            chainId,
            nonce,
          }),
        async verify({ message, signature }) {
          const body = JSON.stringify({ message, signature })
          const { address } = await (await fetch('/api/verify', { method: 'POST', body })).json()
          if (address) setSiwe({ status: 'authenticated', address })
          return Boolean(address)
        },
        async signOut() {
          await fetch('/api/logout', { method: 'POST' })
          setSiwe({ status: 'unauthenticated' })
        },
      }),
    [],
  )
  return (
    <WagmiProvider config={wagmiConfig}>
      <QueryClientProvider client={queryClient}>
        <RainbowKitAuthenticationProvider adapter={adapter} status={siwe.status}>
          <RainbowKitProvider>
            <SiweContext.Provider value={siwe}>{children}</SiweContext.Provider>
          </RainbowKitProvider>
        </RainbowKitAuthenticationProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
