import type { Client } from '../client/Client.ts'
import { sleep, toCountersignError } from '../errors/errors.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import { findLocks } from '../platform/platform.ts'
import { openDevice } from './createDevice.ts'
import type { Present } from './createOfflineReading.ts'
import type { LeadParts } from './lead.ts'
import type { OfflineStore } from './OfflineStore.ts'
import type { Sender } from './sendWrites.ts'

export type Opened = Present & { readonly stop: () => Promise<unknown>; readonly sender: () => Sender | undefined }

type UserParts = LeadParts & {
  readonly store: OfflineStore
  readonly version: string
  /** False once the user is another one. */
  readonly isOpen: () => boolean
}

const loadLead = /*#__PURE__*/ loadOnce(() => import('./lead.ts'))

/** Time until a part that could not be loaded is asked for again (ms). */
const reloadDelay = 5_000

/**
 * Opens the documents of a user, and removes those of all others from the device. One tab receives and sends for all;
 * the next one takes over when it is closed.
 */
export async function openUser(client: Client, reader: string, parts: UserParts): Promise<Opened | undefined> {
  const { store, classNames, version, errors, report, isOpen } = parts
  const { connection } = client.internal
  if (!connection) return undefined
  const application = `${connection.appId}\n${connection.serverUrl}\n`
  const scope = `${application}${reader}\n`
  await store.clear(application, scope)
  await store.clear(`${scope}\uffff`, `${application}\uffff`)
  if (!isOpen()) return undefined
  // Tabs that share nothing receive and send for themselves.
  const isShared = store.isKept?.() ?? true
  const name = isShared ? `Countersign offline ${connection.installationId} ${scope}` : undefined
  const device = await openDevice({ store, scope, name, version, isOpen })
  if (!isOpen()) {
    await device.close()
    return undefined
  }
  const controller = new AbortController()
  const { signal } = controller
  const unsubscribe = device.version.subscribe(report)
  let sender: Sender | undefined

  /** Receives and sends. Both need the network, so their code is loaded here. */
  async function takeOver(): Promise<void> {
    while (!signal.aborted) {
      try {
        const { lead } = await loadLead()
        if (!signal.aborted) sender = lead(client, device, parts, signal)
        return
      } catch (error) {
        for (const className of classNames) errors.set(className, toCountersignError(error))
        report()
        await sleep(reloadDelay, signal)
      }
    }
  }

  const untilOver = () =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      if (signal.aborted) resolve()
      else void takeOver()
    })
  const locks = findLocks()
  if (locks && name) locks.request(name, { signal }, untilOver).catch(() => undefined)
  else void takeOver()
  return {
    reader,
    device,
    sender: () => sender,
    stop() {
      controller.abort()
      sender?.stop()
      unsubscribe()
      return device.close()
    },
  }
}
