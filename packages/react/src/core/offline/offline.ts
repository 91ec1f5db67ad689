import { CountersignError } from '@countersign/protocol'
import type { Client, Offline } from '../client/Client.ts'
import { toCountersignError, ValidationError } from '../errors/errors.ts'
import { hasEvents } from '../platform/platform.ts'
import type { Reading } from '../readings/createReading.ts'
import { readerOf } from '../readings/readerOf.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import { createStore, type Store } from '../state/createStore.ts'
import type { Device } from './createDevice.ts'
import { createOfflineReading } from './createOfflineReading.ts'
import { createQueueing, type Queueing } from './createQueueing.ts'
import { keepReading } from './keepReading.ts'
import type { OfflineStore } from './OfflineStore.ts'
import { openIndexedDb } from './openIndexedDb.ts'
import { type Opened, openUser } from './openUser.ts'
import type { PendingWrites, QueuedWrite, Resolve } from './QueuedWrite.ts'

export type OfflineOptions = {
  /**
   * Classes whose documents are kept on the device, as far as the user may read them. With `conflicts: 'refuse'` a
   * change of a document that others have changed goes to `resolve`; by default the last write wins.
   */
  readonly classes: readonly (string | { readonly className: string; readonly conflicts?: 'lastWrite' | 'refuse' })[]
  /**
   * Readings whose last result is kept and shown until the server has responded, by the names of their requests, such as
   * `listSessions`, or by the first part of a `useRead` key.
   */
  readonly readings?: readonly string[]
  /** Functions of the application that may be queued: running them twice does no harm. */
  readonly functions?: readonly string[]
  /** Documents of a class that are kept at most; 10,000 by default. */
  readonly mostDocuments?: number
  /** Another version drops the documents that are kept, and reads them again. Queued writes stay. */
  readonly version?: string | number
  readonly resolve?: Resolve
  /**
   * Asked before a user signs out with unsent writes, which are lost by that. Without it signing out is refused with
   * `unsentWrites`.
   */
  readonly confirmLoss?: (writes: readonly QueuedWrite[]) => boolean | Promise<boolean>
  /** Called with the unsent writes of a user whose session has ended; they are removed from the device. */
  readonly onLoss?: (writes: readonly QueuedWrite[]) => void
  /** IndexedDB by default. */
  readonly store?: OfflineStore
}

type OfflineParts = Offline & Queueing & { readonly pending: Store<PendingWrites> }

const noWrites: PendingWrites = { pending: [], failed: [], isCurrent: false, currentAt: undefined, isKept: true }

/**
 * Keeps documents on the device: hooks show them at once, and without a network. Saves are written to the device and
 * sent when the server can be reached.
 *
 * @example
 * import { offline } from '@countersign/react/offline'
 *
 * const client = createClient({ appId: 'my-app', serverUrl: '/server', offline: offline({ classes: ['Note'] }) })
 */
export function offline(options: OfflineOptions): (client: Client) => void {
  return (client) => {
    client.internal.offline = attach(client, options)
  }
}

/** The offline part of a client. */
export function offlineOf(client: Client): OfflineParts {
  const { offline } = client.internal
  if (!offline) {
    throw new ValidationError(
      'This client keeps nothing offline.',
      'Pass offline: offline({ classes }) to createClient.',
    )
  }
  return offline as OfflineParts
}

function attach(client: Client, options: OfflineOptions): OfflineParts {
  const { classes, readings = [], functions = [], mostDocuments = 10_000, version = '' } = options
  const policies = new Map(
    classes.map((given) => (typeof given === 'string' ? [given, undefined] : [given.className, given.conflicts])),
  )
  const store = options.store ?? openIndexedDb()
  const changes = createStore(0)
  const pending = createStore(noWrites)
  const errors = new Map<string, CountersignError>()
  let opened: Opened | undefined
  let reader: string | undefined
  let opening: Promise<unknown> = Promise.resolve()

  function report(): void {
    const device = opened?.device
    if (device) {
      const writes = device.writes()
      pending.set({
        pending: writes.filter(({ error, failedWith }) => !error && !failedWith),
        failed: writes.filter(({ error, failedWith }) => error || failedWith),
        isCurrent: [...policies.keys()].every(device.isCurrent),
        currentAt: device.currentAt(),
        isKept: store.isKept?.() ?? true,
      })
    } else pending.set(noWrites)
    changes.set(changes.get() + 1)
  }

  /** Follows the user: whatever belongs to another one is removed from the device. */
  function look(): void {
    const present = readerOf(client)
    if (present === undefined || present === reader) return
    reader = present
    const former = opened
    opened = undefined
    errors.clear()
    const written = former?.stop()
    if (former) lose(former.device)
    report()
    // A write that was begun must not reach the device after it is wiped.
    opening = Promise.all([opening, written])
      .then(() => open(present))
      .catch((error: unknown) => {
        errors.set('', toCountersignError(error))
        report()
      })
  }

  async function open(present: string): Promise<void> {
    const isOpen = () => readerOf(client) === present && reader === present
    // A rendering server keeps nothing.
    if (!isOpen() || (!hasEvents() && !options.store)) return
    const made = await openUser(client, present, {
      store,
      classNames: [...policies.keys()],
      mostDocuments,
      version: String(version),
      resolve: options.resolve,
      errors,
      report,
      isOpen,
    })
    if (!isOpen()) return void (await made?.stop())
    opened = made
    report()
  }

  function lose(device: Device): void {
    const unsent = device.writes()
    if (unsent.length > 0) options.onLoss?.(unsent)
  }

  async function whenOpen(): Promise<Opened> {
    for (;;) {
      if (opened && opened.reader === readerOf(client)) return opened
      const { error } = client.initialization.get()
      if (error) throw error
      await Promise.race([opening, nextChange(client, changes)])
      if (!opened) await nextChange(client, changes)
    }
  }

  client.session.subscribe(look)
  client.initialization.subscribe(look)
  queueMicrotask(look)

  const parts = {
    present: () => opened,
    changes,
    isCurrent: (className: string) => opened?.device.isCurrent(className) ?? false,
    errorOf: (className: string): AsyncState<unknown>['error'] => errors.get(className) ?? errors.get(''),
    refetch: () => opened?.sender()?.pump(),
  }
  async function settle(): Promise<void> {
    look()
    await opening
  }

  const isRefusing = (className: string) => policies.get(className) === 'refuse'
  return {
    ...createQueueing(client, { whenOpen, isRefusing, functions }),
    pending,
    createReading(asked, key, create) {
      const [[name, input] = ['', undefined]] = Object.entries(asked)
      if (policies.has(Object(input).className)) return createOfflineReading(client, asked, parts)
      const isKept = readings.includes(name === 'read' ? [input].flat()[0] : name)
      return isKept ? keepReading(client, key, create() as Reading<unknown>, parts) : undefined
    },
    keeps: (className) => policies.has(className),
    async leave() {
      await agreeToLoss(opened?.device.writes() ?? [], options)
      return settle
    },
  }
}

/** Rejects unless nothing is lost, or the application agrees to it. */
async function agreeToLoss(unsent: readonly QueuedWrite[], { confirmLoss }: OfflineOptions): Promise<void> {
  const count = unsent.length
  if (count === 0 || (await confirmLoss?.(unsent))) return
  throw new CountersignError('OtherCause', `Changes that are not sent yet would be lost: ${count}.`, {
    reason: 'unsentWrites',
    params: { count },
  })
}

/** Resolves with the next change of the user, of the initialization or of the device. */
function nextChange({ session, initialization }: Client, changes: Store<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stops = [session, initialization, changes].map((source) =>
      source.subscribe(() => {
        for (const stop of stops) stop()
        resolve()
      }),
    )
  })
}
