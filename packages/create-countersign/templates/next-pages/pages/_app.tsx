import '@countersign/react/sheet.css'
import '../components/page.css'
import { CountersignProvider, type InitialSession } from '@countersign/react'
import type { AppProps } from 'next/app'
import Head from 'next/head'

export default function Root({ Component, pageProps }: AppProps<{ session?: InitialSession }>) {
  const { session, ...props } = pageProps
  return (
    <CountersignProvider appId="{{name}}" serverUrl="/server" language="en" initialSession={session} initializeOnMount>
      <Head>
        <title>Messages</title>
        <link rel="icon" href="data:," />
      </Head>
      <Component {...props} />
    </CountersignProvider>
  )
}
