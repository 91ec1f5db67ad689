import type { LivePosition, WireFields, WireValue } from '@countersign/protocol'
import { createStore, type Store } from '../state/createStore.ts'
import { applyWrites, type Rows } from './applyWrites.ts'
import type { OfflineChange, OfflineStore } from './OfflineStore.ts'
import type { QueuedWrite } from './QueuedWrite.ts'

/** State of the documents of one class. */
export type ClassState = {
  readonly position: LivePosition
  /** Fingerprint of the rights by which they were read. */
  readonly access: string | undefined
  /** All documents that the user may read are here. */
  readonly isWhole: boolean
  /** The server gives the ids of new documents. */
  readonly hasServerIds?: boolean
}

/** Last result of a reading. */
export type KeptResult = { readonly at: number; readonly data: WireValue }

/** Documents and queued writes of one user, in memory as they are on disk. All tabs have the same. */
export type Device = {
  readonly rowsOf: (className: string) => Rows
  /** Documents with the queued writes on top. */
  readonly viewOf: (className: string) => Rows
  readonly stateOf: (className: string) => ClassState | undefined
  readonly hasServerIds: (className: string) => boolean
  /** Oldest first, with those that failed. */
  readonly writes: () => readonly QueuedWrite[]
  /** The server's id in the place of one that was made here. */
  readonly resolveId: (objectId: string) => string
  /** The server has confirmed the documents of the class, and keeps them current. */
  readonly isCurrent: (className: string) => boolean
  /** When the server last confirmed everything (ms). */
  readonly currentAt: () => number | undefined
  /** Kept result of a reading, by its key. */
  readonly resultOf: (key: string) => KeptResult | undefined
  /** Oldest first. */
  readonly listResults: () => readonly (readonly [key: string, result: KeptResult])[]
  /** Changes with each commit. */
  readonly version: Store<number>
  /**
   * Writes all of them to disk, then shows them in all tabs. One commit after another: a function is called once all
   * earlier ones are shown, so that its changes depend on nothing older.
   */
  readonly commit: (changes: readonly OfflineChange[] | (() => readonly OfflineChange[])) => Promise<void>
  /** Shows them in all tabs, and writes nothing. */
  readonly announce: (changes: readonly OfflineChange[]) => void
  /** Resolves once nothing is written any more. */
  readonly close: () => Promise<unknown>
}

export const keyOf = {
  row: (className: string, objectId: string) => `row/${className}/${objectId}`,
  state: (className: string) => `class/${className}`,
  ids: (className: string) => `ids/${className}`,
  write: (key: string) => `write/${key}`,
  alias: (objectId: string) => `alias/${objectId}`,
  live: (className: string) => `live/${className}`,
  result: (key: string) => `result/${key}`,
  currentAt: 'currentAt',
}

/** Items that are dropped with another version of the application's data. */
const isVersioned = (key: string) => /^(row|class|result)\//.test(key)

type DeviceParts = {
  readonly store: OfflineStore
  /** Beginning of all keys of this user. */
  readonly scope: string
  /** Name that the tabs of this browser share; absent if each has a store of its own. */
  readonly name: string | undefined
  /** Version of the application's data: documents of another one are dropped, writes are kept. */
  readonly version: string
  /** False once the user is another one: nothing more is written. */
  readonly isOpen: () => boolean
}

const noRows: Rows = new Map()

/** Reads what is on the device for a user. */
export async function openDevice({ store, scope, name, version: dataVersion, isOpen }: DeviceParts): Promise<Device> {
  const classes = new Map<string, Map<string, WireFields>>()
  const items = new Map<string, unknown>()
  const views = new Map<string, { at: number; rows: Rows }>()
  const changed = new Map<string, number>()
  const version = createStore(0)
  let writes: readonly QueuedWrite[] | undefined
  let early: (readonly OfflineChange[])[] | undefined = []
  let isClosed = false
  const channel = name === undefined || typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<readonly OfflineChange[]>) => {
      if (data.length === 0) channel.postMessage([...items].filter(([key]) => key.startsWith('live/')))
      else if (early) early.push(data)
      else show(data)
    }
  // Asks the tabs that are there already.
  channel?.postMessage([])

  const found = await store.list(scope, `${scope}\uffff`)
  const known = found.map(([key, value]) => [key.slice(scope.length), value] as const)
  if (new Map(known).get('version') !== dataVersion) {
    const old = known.filter(([key]) => isVersioned(key)).map(([key]) => [scope + key, undefined] as const)
    await store.write([...old, [`${scope}version`, dataVersion]])
    take(known.filter(([key]) => !isVersioned(key)))
  } else take(known)
  for (const changes of early.splice(0)) take(changes)
  early = undefined

  function take(changes: readonly OfflineChange[]): void {
    const next = version.get() + 1
    for (const [key, value] of changes) {
      const [kind = '', className = '', objectId = ''] = key.split('/')
      if (kind === 'row') {
        const rows = classes.get(className) ?? new Map<string, WireFields>()
        classes.set(className, rows)
        if (value === undefined) rows.delete(objectId)
        else rows.set(objectId, value as WireFields)
        changed.set(className, next)
        continue
      }
      if (value === undefined) items.delete(key)
      else items.set(key, value)
      if (kind === 'class') changed.set(className, next)
      if (kind !== 'write') continue
      writes = undefined
      for (const name of classes.keys()) changed.set(name, next)
      for (const part of (value as QueuedWrite | undefined)?.parts ?? []) changed.set(part.className, next)
    }
  }

  function show(changes: readonly OfflineChange[]): void {
    take(changes)
    version.set(version.get() + 1)
  }

  function listWrites(): readonly QueuedWrite[] {
    writes ??= [...items]
      .filter(([key]) => key.startsWith('write/'))
      .map(([, value]) => value as QueuedWrite)
      .sort((one, other) => (one.key < other.key ? -1 : 1))
    return writes
  }

  let last: Promise<unknown> = Promise.resolve()
  async function commitNow(given: readonly OfflineChange[] | (() => readonly OfflineChange[])): Promise<void> {
    // In the turn of the write: data of a user who signed out must not come back.
    if (isClosed || !isOpen()) throw new Error('The user has changed.')
    const changes = typeof given === 'function' ? given() : given
    if (changes.length === 0) return
    await store.write(changes.map(([key, value]) => [scope + key, value]))
    if (isClosed) return
    show(changes)
    channel?.postMessage(changes)
  }

  const rowsOf = (className: string): Rows => classes.get(className) ?? noRows
  return {
    rowsOf,
    viewOf(className) {
      const at = changed.get(className) ?? 0
      const view = views.get(className)
      if (view?.at === at) return view.rows
      const rows = applyWrites(className, rowsOf(className), listWrites())
      views.set(className, { at, rows })
      return rows
    },
    stateOf: (className) => items.get(keyOf.state(className)) as ClassState | undefined,
    hasServerIds: (className) => items.has(keyOf.ids(className)),
    writes: listWrites,
    resolveId: (objectId) => (items.get(keyOf.alias(objectId)) as string | undefined) ?? objectId,
    isCurrent: (className) => items.get(keyOf.live(className)) === true,
    currentAt: () => items.get(keyOf.currentAt) as number | undefined,
    resultOf: (key) => items.get(keyOf.result(key)) as KeptResult | undefined,
    listResults: () =>
      [...items]
        .filter(([key]) => key.startsWith('result/'))
        .map(([key, value]) => [key.slice('result/'.length), value as KeptResult] as const)
        .sort(([, one], [, other]) => one.at - other.at),
    version,
    commit(changes) {
      const done = last.then(() => commitNow(changes))
      last = done.catch(() => undefined)
      return done
    },
    announce(changes) {
      if (isClosed) return
      show(changes)
      channel?.postMessage(changes)
    },
    close() {
      isClosed = true
      channel?.close()
      return last
    },
  }
}
