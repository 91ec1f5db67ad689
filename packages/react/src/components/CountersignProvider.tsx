'use client'

import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Client, ClientOptions } from '../core/client/Client.ts'
import { createClient } from '../core/setup/createClient.ts'
import { initialize } from '../core/setup/initialize.ts'
import { ClientContext } from '../hooks/client/useClient.ts'
import { type LanguageChoice, LanguageContext } from './i18n/LanguageContext.ts'

/** The options of `createClient`. They are taken once: another `appId` or `serverUrl` makes another client, nothing else does. */
export type CountersignProviderProps = ClientOptions &
  LanguageChoice & {
    /** A client of your own making; the other options are then its own. */
    client?: Client
    /** Initialize as soon as the component is mounted; false by default. */
    initializeOnMount?: boolean
    children?: ReactNode
  }

/**
 * Supplies the session layer to everything inside it.
 *
 * @example
 * <CountersignProvider appId="my-app" serverUrl="/server" initializeOnMount>
 *   <App />
 * </CountersignProvider>
 */
export function CountersignProvider(props: CountersignProviderProps) {
  const { client: given, initializeOnMount = false, language, words, children, ...options } = props
  const [made, setMade] = useState(() => given ?? createClient(options))
  const { appId, serverUrl } = made.internal.options
  // A configuration that arrives late is taken up.
  if (!given && (options.appId !== appId || options.serverUrl !== serverUrl)) setMade(createClient(options))
  const client = given ?? made
  useEffect(() => {
    // A throw here could not be caught; the initialization state shows the error.
    if (initializeOnMount) void initialize(client, {}, { throwOnError: false })
  }, [client, initializeOnMount])
  useEffect(() => {
    const timer = setTimeout(() => {
      const { initialization, internal } = client
      if (initialization.get().status !== 'idle' || (!internal.options.appId && internal.readings.size === 0)) return
      import('./warnOfWaiting.ts')
        .then(({ warnOfWaiting }) => warnOfWaiting(internal.readings.size))
        .catch(() => undefined)
    }, 5_000)
    return () => clearTimeout(timer)
  }, [client])
  const choice = useMemo(() => ({ language, words }), [language, words])
  return (
    <ClientContext.Provider value={client}>
      <LanguageContext.Provider value={choice}>{children}</LanguageContext.Provider>
    </ClientContext.Provider>
  )
}
