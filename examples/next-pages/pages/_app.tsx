import '@countersign/react/sheet.css'
import '../components/page.css'
import { CountersignProvider, type InitialSession } from '@countersign/react'
import type { AppProps } from 'next/app'
import Head from 'next/head'
import { Account } from '../components/Account.tsx'
import { Start } from '../components/Start.tsx'

/** Root wrapper for every page. It does not initialize the client: `Start` does. */
export default function App({ Component, pageProps }: AppProps<{ session?: InitialSession }>) {
  return (
    <CountersignProvider initializeOnMount={false} initialSession={pageProps.session} language="en">
      <Head>
        <title>Countersign with the pages router</title>
        <link rel="icon" href="data:," />
      </Head>
      <Start />
      <header>
        <strong>Pages router</strong>
        <Account />
      </header>
      <main>
        <Component {...pageProps} />
      </main>
    </CountersignProvider>
  )
}
