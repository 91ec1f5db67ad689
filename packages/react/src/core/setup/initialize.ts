import { CountersignError } from '@countersign/protocol'
import type { Client, Connection, CurrentSession, SyncStorage, Transport } from '../client/Client.ts'
import { type Callbacks, runOperation } from '../client/runAction.ts'
import { toCountersignError } from '../errors/errors.ts'
import { readServerUrl } from '../http/sendRequest.ts'
import { createUuid, hasEvents } from '../platform/platform.ts'
import { canStore, findLocalStorage, loadStorage, storageOf } from '../platform/storage.ts'
import {
  adoptSession,
  findCookieSession,
  findStoredSession,
  followStorage,
  restoreSession,
  sessionKey,
  storedKey,
  storedKeys,
  storeSession,
  verifySession,
} from '../session/currentSession.ts'
import { moveSession } from '../session/transition.ts'
import { disconnected, expectsWallet, walletKey } from '../wallet/connection/rememberedWallet.ts'
import { startWallet } from '../wallet/startWallet.ts'

const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown'] as const

export type InitializeInput = {
  appId?: string
  serverUrl?: string
  javascriptKey?: string
  /** Offers the demo wallet; the runtime configuration sets it outside of production. */
  demoWallet?: boolean
  /** Chains of the demo wallet, from the runtime configuration. */
  demoChains?: readonly { readonly id: number; readonly rpcUrls: readonly string[] }[]
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
  return runOperation(client, callbacks, async () => {
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
    if (input.demoChains !== undefined) internal.options.demoChains = input.demoChains
    internal.showConnectors?.()
    // Beside the session, which waits for no wallet.
    startWalletSoon(client)
    await internal.queue.run(async () => {
      const { rendered } = internal
      const stored = findStoredSession(connection)
      if (rendered && connection.transport === 'cookie') await resumeSession(client, connection, rendered)
      else if (stored) await verifySession(client, connection, stored)
      else if (connection.transport === 'cookie' && !canStore(client)) await findCookieSession(client, connection)
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
    `No ${name} is provided. Pass it to initialize({ appId, serverUrl }), createClient or <CountersignProvider>.`,
    { details: 'The server prints both when it starts; the command `countersign keys` shows the app id.' },
  )
}

/** The cookie if the page can have one; without a page (server rendering, Node) there is none. */
function chooseTransport(wanted: 'auto' | Transport, serverUrl: string): Transport {
  if (!globalThis.window?.location) return 'storage'
  if (wanted !== 'auto') return wanted
  return new URL(serverUrl).origin === window.location.origin ? 'cookie' : 'storage'
}

/** The id of this browser, made at the first start. The server keeps one session per user and installation. */
function findInstallationId(storage: SyncStorage, appId: string): string {
  const key = storedKey(appId, 'installationId')
  const kept = storage.getItem(key)
  if (kept) return kept
  const made = createUuid()
  storage.setItem(key, made)
  return made
}

/**
 * Continues the session that the page was rendered with. The server has just checked it, and is asked again only if
 * this browser's storage differs: another tab may have signed out, or in, since then.
 */
async function resumeSession(client: Client, connection: Connection, { record }: CurrentSession): Promise<void> {
  const stored = findStoredSession(connection)
  if (stored?.user.objectId === record.objectId) {
    const isNewer = String(stored.user.updatedAt) > String(record.updatedAt)
    adoptSession(client, connection, isNewer ? stored : { ...stored, user: record })
    return
  }
  const credential = stored?.credential ?? { id: createUuid() }
  if (!stored) storeSession(connection, { credential, user: record })
  await restoreSession(client, connection, { credential, user: record })
}

/** Follows session changes of other tabs while the page lives. */
function watchStorage(client: Client): void {
  const { internal } = client
  const area = findLocalStorage()
  if (internal.watching || !area || !hasEvents() || (internal.options.storage && internal.options.storage !== area))
    return
  internal.watching = true
  window.addEventListener('storage', (event) => {
    if (event.storageArea !== null && event.storageArea !== area) return
    const appId = internal.connection?.appId
    // A null key means that the whole storage was cleared.
    if (appId !== undefined && (event.key === null || event.key === sessionKey(appId))) void followStorage(client)
  })
  // A page that comes back from the back-forward cache has missed the events of its absence.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) void followStorage(client)
  })
}

/**
 * Starts the wallet layer at once where a wallet is remembered, otherwise at the first sign of a person: a page that is
 * only looked at does not fetch it, and it is there when somebody clicks.
 */
function startWalletSoon(client: Client): void {
  const { internal } = client
  if (internal.startingWallet || expectsWallet(client) || !hasEvents()) {
    void startWallet(client)
    return
  }
  internal.wallet.set(disconnected)
  const start = () => {
    for (const sign of signs) window.removeEventListener(sign, start, true)
    void startWallet(client)
  }
  for (const sign of signs) window.addEventListener(sign, start, { capture: true, passive: true })
}
