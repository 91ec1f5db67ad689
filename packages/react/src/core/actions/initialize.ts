import { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { chooseTransport } from '../chooseTransport.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { findInstallationId } from '../findInstallationId.ts'
import { readServerUrl } from '../readServerUrl.ts'
import { runAction } from '../runAction.ts'
import { moveSession } from '../session/moveSession.ts'
import { restoreSession } from '../session/restoreSession.ts'
import { resumeSession } from '../session/resumeSession.ts'
import { findStoredSession } from '../session/storedSession.ts'
import { watchStorage } from '../session/watchStorage.ts'
import { loadStorage, storageOf } from '../storage.ts'
import { storedKeys } from '../storedKey.ts'
import { walletKey } from '../wallet/rememberedWallet.ts'
import { startWalletSoon } from '../wallet/startWalletSoon.ts'

export type InitializeInput = {
  appId?: string
  serverUrl?: string
  javascriptKey?: string
  /** Offers the demo wallet; where the server is not in production, its run-time configuration says so. */
  demoWallet?: boolean
}

/**
 * Connects the client to a server and finds out whether a user is signed in. It runs once: a second call gives the
 * outcome of the first. After a failure it can be called again.
 *
 * @example
 * await initialize(client, { appId: 'my-app', serverUrl: 'http://localhost:1337/server' })
 */
export function initialize(client: Client, input: InitializeInput = {}, callbacks: Callbacks = {}): Promise<void> {
  const { internal } = client
  return runAction(client, callbacks, async () => {
    internal.initializing ??= start(client, input)
    const { initializing } = internal
    try {
      await initializing
    } catch (error) {
      if (internal.initializing === initializing) internal.initializing = undefined
      throw error
    }
  })
}

async function start(client: Client, input: InitializeInput): Promise<void> {
  const { internal } = client
  try {
    const given = readInput(client, input)
    internal.initialization.set({ status: 'initializing' })
    const loading = loadStorage(client, [walletKey, ...storedKeys(given.appId)])
    if (loading) await loading
    const connection = connect(client, given)
    internal.connection = connection
    watchStorage(client)
    if (input.demoWallet !== undefined) internal.options.demoWallet = input.demoWallet
    internal.showConnectors?.()
    // Beside the session, which waits for no wallet.
    startWalletSoon(client)
    await internal.queue.run(async () => {
      const { rendered } = internal
      const stored = findStoredSession(connection)
      if (rendered && connection.transport === 'cookie') await resumeSession(client, connection, rendered)
      else if (stored) await restoreSession(client, connection, stored)
      else moveSession(client, { type: 'signedOut' })
    })
    internal.initialization.set({ status: 'ready', appId: connection.appId, serverUrl: connection.serverUrl })
  } catch (cause) {
    const error = toCountersignError(cause)
    internal.connection = undefined
    internal.initialization.set({ status: 'error', error })
    throw error
  }
}

type Given = Pick<Connection, 'appId' | 'serverUrl' | 'javascriptKey'>

function readInput({ internal: { options } }: Client, input: InitializeInput): Given {
  const appId = input.appId || options.appId
  const serverUrl = input.serverUrl || options.serverUrl
  if (!appId) throw missing('appId')
  if (!serverUrl) throw missing('serverUrl')
  return { appId, serverUrl: readServerUrl(serverUrl), javascriptKey: input.javascriptKey ?? options.javascriptKey }
}

function connect(client: Client, given: Given): Connection {
  const storage = storageOf(client)
  return {
    ...given,
    transport: chooseTransport(client.internal.options.session ?? 'auto', given.serverUrl),
    storage,
    installationId: findInstallationId(storage, given.appId),
  }
}

function missing(name: 'appId' | 'serverUrl'): CountersignError {
  return new CountersignError(
    'NotInitialized',
    `No ${name} is provided. Give it to initialize({ appId, serverUrl }), to createClient or to <CountersignProvider>.`,
    { details: 'The server prints both when it starts; the command `countersign keys` shows the app id.' },
  )
}
