import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { initialize } from '../core/actions/initialize.ts'
import type { Client, ClientOptions } from '../core/Client.ts'
import { createClient } from '../core/createClient.ts'
import { ClientContext } from '../hooks/ClientContext.ts'
import { type LanguageChoice, LanguageContext } from './LanguageContext.ts'

export type CountersignProviderProps = Pick<
  ClientOptions,
  | 'appId'
  | 'serverUrl'
  | 'javascriptKey'
  | 'session'
  | 'throwOnError'
  | 'onAccountChange'
  | 'demoWallet'
  | 'initialSession'
> &
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
export function CountersignProvider({
  client: given,
  appId,
  serverUrl,
  javascriptKey,
  session,
  throwOnError,
  onAccountChange,
  demoWallet,
  initialSession,
  initializeOnMount = false,
  language,
  words,
  children,
}: CountersignProviderProps) {
  // A page that is rendered anew brings another answer about the same session, which is no reason for another client.
  const [rendered] = useState(initialSession)
  const client = useMemo(
    () =>
      given ??
      createClient({
        appId,
        serverUrl,
        javascriptKey,
        session,
        throwOnError,
        onAccountChange,
        demoWallet,
        initialSession: rendered,
      }),
    [given, appId, serverUrl, javascriptKey, session, throwOnError, onAccountChange, demoWallet, rendered],
  )
  useEffect(() => {
    // No one could catch what is thrown here; the initialization state shows it.
    if (initializeOnMount) void initialize(client, {}, { throwOnError: false })
  }, [client, initializeOnMount])
  const choice = useMemo(() => ({ language, words }), [language, words])
  return (
    <ClientContext.Provider value={client}>
      <LanguageContext.Provider value={choice}>{children}</LanguageContext.Provider>
    </ClientContext.Provider>
  )
}
