import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Client, SyncStorage } from '../core/client/Client.ts'
import type { OfflineStore } from '../core/offline/OfflineStore.ts'
import { type OfflineOptions, offline } from '../core/offline/offline.ts'
import { createMemoryStore } from '../core/offline/openIndexedDb.ts'
import { createClient } from '../core/setup/createClient.ts'
import { initialize } from '../core/setup/initialize.ts'
import { createMemory } from './createMemory.ts'
import type { TestServer } from './startServer.ts'

/** A browser: its storage, its database and its line to the server, which outlive a page. */
export type OfflineDevice = {
  readonly storage: SyncStorage
  readonly store: OfflineStore
  readonly serverUrl: string
  readonly cut: () => void
  readonly join: () => void
  readonly remove: () => void
}

/** A store that takes its time for each write, one after another, as a disk does. */
function createSlowStore(): OfflineStore {
  const { list, write, clear } = createMemoryStore()
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))).then(work)
    last = done.catch(() => undefined)
    return done
  }
  return {
    list: (from, to) => inTurn(() => list(from, to)),
    write: (changes) => inTurn(() => write(changes)),
    clear: (from, to) => inTurn(() => clear(from, to)),
  }
}

/** A device whose line to the server can be cut. */
export async function createOfflineDevice(server: TestServer): Promise<OfflineDevice> {
  const { port } = new URL(server.origin)
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy: Server = createServer((incoming) => {
    if (isCut) return void incoming.destroy()
    const outgoing = connect(Number(port), 'localhost')
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        incoming.destroy()
        outgoing.destroy()
        sockets.delete(socket)
      })
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const own = typeof address === 'object' && address ? address.port : 0
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    storage: createMemory(),
    store: createSlowStore(),
    serverUrl: `http://127.0.0.1:${own}/server`,
    cut() {
      isCut = true
      drop()
    },
    join() {
      isCut = false
    },
    remove() {
      proxy.close()
      drop()
    },
  }
}

export type OfflinePage = {
  readonly client: Client
  /** Writes that were sent, by their request id, with the status of the response. */
  readonly sent: { readonly method: string; readonly path: string; readonly id: string | null; status?: number }[]
  /** The next responses are lost after the server has done the request. */
  loseResponses: number
  /** Writes wait for this before they reach the server. */
  way: Promise<void>
  /** Ends the page as a crash does: nothing that was begun goes on. */
  readonly kill: () => void
}

const forever = () => new Promise<never>(() => undefined)

/** A page on a device, whose process can be killed. */
export async function openOfflinePage(
  { appId }: TestServer,
  { storage, store, serverUrl }: OfflineDevice,
  options: OfflineOptions,
): Promise<OfflinePage> {
  let isDead = false
  const alive =
    <Rest extends readonly unknown[], Result>(work: (...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      isDead ? forever() : work(...rest).then((result) => (isDead ? forever() : result))
  const page: OfflinePage = {
    client: createClient({
      appId,
      serverUrl,
      session: 'storage',
      storage,
      throwOnError: true,
      attemptLimit: 1,
      offline: offline({
        ...options,
        store: { list: alive(store.list), write: alive(store.write), clear: alive(store.clear) },
      }),
      async fetch(input, init) {
        if (isDead) return forever()
        const method = init?.method ?? 'GET'
        const isWrite = method !== 'GET' && !String(init?.body).includes('"_method":"GET"')
        const path = String(input).slice(serverUrl.length)
        const own: OfflinePage['sent'][number] = {
          method,
          path,
          id: new Headers(init?.headers).get('X-Parse-Request-Id'),
        }
        if (isWrite) {
          page.sent.push(own)
          await page.way
        }
        const response = await fetch(input, init)
        if (isDead) return forever()
        own.status = response.status
        if (isWrite && page.loseResponses > 0) {
          page.loseResponses--
          throw new TypeError('fetch failed')
        }
        return response
      },
    }),
    sent: [],
    loseResponses: 0,
    way: Promise.resolve(),
    kill() {
      isDead = true
      page.client.internal.live?.leave()
    },
  }
  await initialize(page.client).catch(() => undefined)
  return page
}
