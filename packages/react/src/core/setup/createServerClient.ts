import { headers as names } from '@countersign/protocol'
import type { Client, ClientOptions, InitialSession } from '../client/Client.ts'
import { readServerUrl } from '../http/sendRequest.ts'
import { createUuid } from '../platform/platform.ts'
import { readRecord } from '../values/decode.ts'
import { connectClient } from './connectClient.ts'
import { createClient } from './createClient.ts'
import { type RequestHeaders, readHeader, readSessionCookie } from './getServerSession.ts'

export type ServerClientInput = Pick<ClientOptions, 'javascriptKey' | 'fetch' | 'attemptLimit' | 'attemptTimeout'> & {
  appId: string
  /** API URL for the rendering server, with its mount; may differ from the one for browsers. */
  serverUrl: string
  /** Headers of the page's request; without them the client reads as a guest. */
  headers?: RequestHeaders
  /** Result of `getServerSession` for the same request: then `getUser(client)` returns the user. */
  session?: InitialSession
}

/**
 * A client for one request of a server: for server components, loaders and route handlers. It reads and writes as the
 * user of that request, by the session cookie, or by the token in `Authorization: Bearer …` or
 * `X-Parse-Session-Token`. The session goes to `serverUrl` alone. Make a new client for each request; it is ready at
 * once and keeps nothing.
 *
 * @example
 * import { findDocuments, defineQuery } from '@countersign/react/core'
 * import { headers } from 'next/headers'
 *
 * const client = createServerClient({ appId: 'my-app', serverUrl: 'http://localhost:1337/server', headers: await headers() })
 * const games = await findDocuments(client, defineQuery('Game', { limit: 20 }))
 */
export function createServerClient(input: ServerClientInput): Client {
  const { appId, headers = {}, session, javascriptKey, fetch = globalThis.fetch, attemptLimit = 2, ...rest } = input
  const serverUrl = readServerUrl(input.serverUrl)
  const sent = readForwarded(headers)
  const client = createClient({
    ...rest,
    appId,
    serverUrl,
    attemptLimit,
    fetch: (address, init) => {
      const url = String(address)
      // Never to another place, whatever a page was made to ask for.
      if (!url.startsWith(`${serverUrl}/`)) return fetch(address, init)
      const given = init?.headers as Record<string, string> | undefined
      // A redirect could lead the session elsewhere.
      return fetch(address, { ...init, headers: { ...given, ...sent }, redirect: 'error' })
    },
  })
  const user = session?.status === 'authenticated' ? readRecord(session.user) : undefined
  const known = user && { credential: { id: createUuid() }, user }
  connectClient(client, { appId, serverUrl, javascriptKey, installationId: createUuid() }, known)
  return client
}

/** Headers of the page's request that the API needs. */
function readForwarded(headers: RequestHeaders): Record<string, string> {
  // A bearer of another kind belongs to the application and is not sent on.
  const [, bearer] = readHeader(headers, 'authorization').match(/^Bearer (r:\S+)$/i) ?? []
  const token = readHeader(headers, names.sessionToken.toLowerCase()) || bearer
  const cookie = token ? '' : readSessionCookie(headers)
  const origin = readHeader(headers, 'origin')
  const visitor = readHeader(headers, 'x-forwarded-for')
  return {
    ...(token && { [names.sessionToken]: token }),
    ...(cookie && { Cookie: cookie, [names.sessionTransport]: 'cookie' }),
    // A form of another site, sent to the page, is refused by the API as it would be if sent there.
    ...(cookie && origin && { Origin: origin }),
    // Or every visitor would look like the server that renders.
    ...(visitor && { 'X-Forwarded-For': visitor }),
  }
}
