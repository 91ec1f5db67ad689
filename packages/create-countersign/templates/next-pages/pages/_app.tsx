import '@countersign/react/sheet.css'
import '../components/page.css'
import { CountersignProvider, type InitialSession } from '@countersign/react'
import type { AppProps } from 'next/app'
import Head from 'next/head'

export default function Root({ Component, pageProps }: AppProps<{ session?: InitialSession }>) {
  const { session, ...props } = pageProps
  return (
    <CountersignProvider
      appId="{{name}}"
      serverUrl="/server"
      language="en"
      // Signs in without an extension; a build for production has none.
      demoWallet={process.env.NODE_ENV === 'development'}
      initialSession={session}
      initializeOnMount
    >
      <Head>
        <title>{'Messages · {{name}}'}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </Head>
      <Component {...props} />
    </CountersignProvider>
  )
}
