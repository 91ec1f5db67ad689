import type { Client, ClientOptions } from '../core/client/Client.ts'
import { request } from '../core/session/request.ts'
import { type SignUpInput, signUp } from '../core/session/signUp.ts'
import { createClient } from '../core/setup/createClient.ts'
import { initialize } from '../core/setup/initialize.ts'
import { createMemory } from './createMemory.ts'
import { createWire } from './createWire.ts'
import type { TestServer } from './startServer.ts'
import { watchStates } from './watchStates.ts'

export const password = 'correct horse battery'

/** Pages of one application: clients of a server that starts before the tests, and what looks at their sessions from outside. */
export function createPages(serverOf: () => TestServer) {
  let counter = 0

  const newName = (name = 'ada') => `${name}-${++counter}`

  /** A client that is connected and throws, with the wire under it and the storage behind it. */
  async function connect(options: ClientOptions = {}) {
    const wire = createWire()
    const storage = createMemory()
    const client = createClient({
      appId: serverOf().appId,
      serverUrl: serverOf().serverUrl,
      storage,
      fetch: wire.fetch,
      throwOnError: true,
      ...options,
    })
    await initialize(client)
    return { client, wire, storage, seen: watchStates(client.session) }
  }

  async function connectSignedIn(options: ClientOptions = {}, fields: Partial<SignUpInput> = {}) {
    const connected = await connect(options)
    const username = newName()
    await signUp(connected.client, { username, password, ...fields })
    connected.wire.calls.length = 0
    connected.seen.length = 0
    connected.seen.push(`authenticated ${username}`)
    return { ...connected, username, sessionKey: `Countersign/${serverOf().appId}/session` }
  }

  /** The same page again: a new client over the same storage. */
  async function reload(storage: ClientOptions['storage'], options: ClientOptions = {}) {
    const wire = createWire()
    const { appId, serverUrl } = serverOf()
    const client = createClient({ appId, serverUrl, storage, fetch: wire.fetch, ...options })
    const seen = watchStates(client.session)
    await initialize(client)
    return { client, wire, seen }
  }

  async function endCurrent(client: Client, release: () => void): Promise<void> {
    const { connection, current } = client.internal
    if (!connection || !current) throw new Error('nobody is signed in')
    // Another request of the same page learns first that the session is over.
    await serverOf().asMaster('DELETE', `/sessions/${await sessionIdOf(current.credential.token ?? '')}`)
    const held = client.internal.options.fetch
    client.internal.options.fetch = createWire().fetch
    await request(client, 'listSessions', {}).catch(() => undefined)
    client.internal.options.fetch = held
    release()
  }

  async function endElsewhere(storage: ReturnType<typeof createMemory>, sessionKey: string): Promise<void> {
    const { token } = JSON.parse(storage.getItem(sessionKey) ?? '')
    await serverOf().asMaster('DELETE', `/sessions/${await sessionIdOf(token)}`)
  }

  async function callWithToken(path: string, token: string): Promise<{ objectId?: string; code?: number }> {
    const response = await fetch(`${serverOf().serverUrl}${path}`, {
      headers: { 'X-Parse-Application-Id': serverOf().appId, 'X-Parse-Session-Token': token },
    })
    return (await response.json()) as { objectId?: string; code?: number }
  }

  async function sessionIdOf(token: string): Promise<string | undefined> {
    return (await callWithToken('/sessions/me', token)).objectId
  }

  async function isAlive(token: string): Promise<boolean> {
    return (await callWithToken('/users/me', token)).code !== 209
  }

  return { newName, connectSignedIn, connect, reload, endCurrent, isAlive, sessionIdOf, endElsewhere }
}
