// An application without IndexedDB, in a process of its own: node nativeApplication.mjs. The parent tells it what to do.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { offlineOf } from '../../dist/core/offline/offline.js'
import { createDocument, initialize, op, saveDocument, signUp, watchDocuments } from '../../dist/core.js'
import { createNativeClient } from '../../dist/native.js'
import { offline, openNativeStore, queueUpload } from '../../dist/offline.js'

Object.assign(globalThis, { WebSocket })

const { APP_ID: appId = '', SERVER_URL: serverUrl = '', FOLDER: folder = '', STORE: kind } = process.env

/** As AsyncStorage: each item is whole or absent, and several are written one after another. */
function createFileStorage() {
  const place = join(folder, 'storage')
  /** @param {string} key */
  const fileOf = (key) => join(place, Buffer.from(key).toString('base64url'))
  /** @param {string} key */
  const getItem = (key) => readFile(fileOf(key), 'utf8').catch(() => null)
  /** @param {string} key @param {string} value */
  const setItem = async (key, value) => {
    await mkdir(place, { recursive: true })
    await writeFile(`${fileOf(key)}.new`, value, { flush: true })
    await rename(`${fileOf(key)}.new`, fileOf(key))
  }
  /** @param {string} key */
  const removeItem = (key) => rm(fileOf(key), { force: true })
  return {
    getItem,
    setItem,
    removeItem,
    async getAllKeys() {
      const names = await readdir(place).catch(() => [])
      return names.flatMap((name) => (name.endsWith('.new') ? [] : Buffer.from(name, 'base64url').toString()))
    },
    /** @param {readonly string[]} keys */
    multiGet: (keys) => Promise.all(keys.map(async (key) => /** @type {const} */ ([key, await getItem(key)]))),
    /** @param {[string, string][]} items */
    async multiSet(items) {
      for (const [key, value] of items) await setItem(key, value)
    },
    /** @param {readonly string[]} keys */
    async multiRemove(keys) {
      for (const key of keys) await removeItem(key)
    },
  }
}

const storage = createFileStorage()
// The module of the documentation, which the test has written to the folder.
const store =
  kind === 'own'
    ? await (await import(join(folder, 'openFileStore.mjs'))).openFileStore(join(folder, 'store'))
    : openNativeStore(storage)
const client = createNativeClient({
  appId,
  serverUrl,
  storage,
  throwOnError: true,
  offline: offline({ classes: ['Note'], store }),
})

/** @param {object} message */
const tell = (message) => process.send?.(message)

await initialize(client).catch(() => undefined)
const notes = watchDocuments(client, 'Note', { order: ['n'], limit: 1_000 })
const report = () => {
  const { status, data = [], isStale } = /** @type {any} */ (notes.get())
  const rows = data.map((/** @type {any} */ { objectId, n, total, owner }) => ({ objectId, n, total, owner }))
  tell({ kind: 'shown', status, isStale: Boolean(isStale), rows })
}
notes.subscribe(report)
report()

const { pending } = offlineOf(client)
const reportWrites = () => {
  const { pending: waiting, failed, isCurrent, isKept } = pending.get()
  tell({ kind: 'writes', waiting: waiting.length, failed: failed.length, isCurrent, isKept })
}
pending.subscribe(reportWrites)
reportWrites()

/** @type {{ [name: string]: (input: any) => Promise<void> }} */
const actions = {
  async signUp({ username, password }) {
    const user = await signUp(client, { username, password })
    tell({ kind: 'user', id: user?.objectId })
  },
  async write({ from, to, owner }) {
    for (let n = from; n < to; n++) {
      const note = await createDocument(client, 'Note', { n, owner, total: 0 })
      await saveDocument(client, note, { total: op.increment(1) })
      tell({ kind: 'acknowledged', objectId: note.objectId, n })
    }
  },
  async upload() {
    const refusal = await queueUpload(client, { file: new Blob(['text']), name: 'a.txt' }).then(
      () => 'none',
      (error) => error.message,
    )
    tell({ kind: 'upload', refusal })
  },
}
process.on('message', (/** @type {any} */ { action, input }) => void actions[action]?.(input))
tell({ kind: 'ready' })
