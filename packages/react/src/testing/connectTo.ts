import type { ClientOptions } from '../core/client/Client.ts'
import { createClient } from '../core/setup/createClient.ts'
import { initialize } from '../core/setup/initialize.ts'
import { createWire } from './createWire.ts'
import type { TestServer } from './startServer.ts'

/** An initialized client of a test server that keeps its session in storage, and the requests that it sends. */
export async function connectTo({ appId, serverUrl }: TestServer, options: ClientOptions = {}) {
  const wire = createWire()
  const client = createClient({ appId, serverUrl, session: 'storage', fetch: wire.fetch, ...options })
  await initialize(client)
  return { client, wire }
}
