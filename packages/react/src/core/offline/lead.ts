import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { toCountersignError } from '../errors/errors.ts'
import { hasEvents } from '../platform/platform.ts'
import { type Device, keyOf } from './createDevice.ts'
import type { Resolve } from './QueuedWrite.ts'
import { type Sender, sendWrites } from './sendWrites.ts'
import { syncClass } from './syncClass.ts'

export type LeadParts = {
  readonly classNames: readonly string[]
  readonly mostDocuments: number
  readonly resolve: Resolve | undefined
  /** Why a class is not current. */
  readonly errors: Map<string, CountersignError>
  /** Called after each change of what is shown. */
  readonly report: () => void
}

/** Receives changes and sends writes, for all tabs of the browser. */
export function lead(client: Client, device: Device, parts: LeadParts, signal: AbortSignal): Sender {
  const { classNames, resolve } = parts
  // The tab that led before may be gone.
  device.announce(classNames.map((className) => [keyOf.live(className), false]))
  const sender = sendWrites(client, device, resolve)
  const stops = [
    sender.stop,
    device.version.subscribe(sender.pump),
    ...classNames.map((className) => follow(client, device, className, sender, parts)),
  ]
  if (hasEvents()) window.addEventListener('online', sender.wake, { signal })
  sender.pump()
  return {
    ...sender,
    stop() {
      for (const stop of stops) stop()
    },
  }
}

function follow(
  client: Client,
  device: Device,
  className: string,
  sender: Sender,
  { classNames, mostDocuments, errors, report }: LeadParts,
): () => void {
  return syncClass(client, device, {
    className,
    most: mostDocuments,
    onCurrent(isCurrent) {
      errors.delete(className)
      if (device.isCurrent(className) === isCurrent) return
      device.announce([[keyOf.live(className), isCurrent]])
      if (!isCurrent) return
      sender.wake()
      if (classNames.every(device.isCurrent)) device.commit([[keyOf.currentAt, Date.now()]]).catch(() => undefined)
    },
    onError(error) {
      errors.set(className, toCountersignError(error))
      report()
    },
  })
}
