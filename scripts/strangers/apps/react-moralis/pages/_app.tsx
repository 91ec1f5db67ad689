import type { AppProps } from 'next/app'
import { MoralisProvider } from 'react-moralis'

export default function Application({ Component, pageProps }: AppProps) {
  return (
    <MoralisProvider
      appId="lVb4jXEh2ZkNQNRwvxTmpUX3pGDx5yLgMvyJw2TC"
      serverUrl="https://abcdefghijkl.usemoralis.com:2053/server"
    >
      <Component {...pageProps} />
    </MoralisProvider>
  )
}
