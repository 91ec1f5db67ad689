import { type CountersignError, errorCodes, type WireFields } from '@countersign/protocol'
import type { Client, Credential } from '../client/Client.ts'
import { isTransient, toCountersignError } from '../errors/errors.ts'
import { reconnectDelay } from '../live/createReconnectingSocket.ts'
import { createUuid, isOffline } from '../platform/platform.ts'
import { endSession, findStoredSession } from '../session/currentSession.ts'
import { type Device, keyOf } from './createDevice.ts'
import type { OfflineChange } from './OfflineStore.ts'
import {
  dependentsOf,
  keysOf,
  type QueuedWrite,
  type Resolve,
  requestAge,
  type WriteError,
  type WritePart,
} from './QueuedWrite.ts'
import { type Answers, settle, transmit, withoutType } from './transmit.ts'

const mostAtOnce = 6

export type Sender = {
  readonly pump: () => void
  /** The server can be reached again: nothing waits for its next attempt. */
  readonly wake: () => void
  readonly stop: () => void
}

/** Sends queued writes: those of one document in order, others beside each other, each until a response. */
export function sendWrites(client: Client, device: Device, resolve: Resolve | undefined): Sender {
  const controller = new AbortController()
  const sending = new Map<string, ReadonlySet<string>>()
  let attempts = 0
  let retry: ReturnType<typeof setTimeout> | undefined

  function pump(): void {
    if (controller.signal.aborted || retry || isOffline()) return
    const blocked = new Set([...sending.values()].flatMap((keys) => [...keys]))
    for (const write of device.writes()) {
      if (sending.size >= mostAtOnce) return
      if (write.error || write.failedWith || sending.has(write.key)) continue
      const keys = keysOf(write)
      const mustWait = [...keys].some((key) => blocked.has(key))
      for (const key of keys) blocked.add(key)
      if (mustWait) continue
      sending.set(write.key, keys)
      void send(write)
        .then(
          () => {
            attempts = 0
          },
          (error) => pause(error),
        )
        .finally(() => {
          sending.delete(write.key)
          pump()
        })
    }
  }

  function pause(error: unknown): void {
    const wait = toCountersignError(error).rateLimit?.retryAfter ?? 0
    const delay = Math.max(wait * 1_000, reconnectDelay(++attempts, Math.random))
    retry ??= setTimeout(() => {
      retry = undefined
      pump()
    }, delay)
  }

  /** Rejects only if it has to be tried again. */
  async function send(given: QueuedWrite): Promise<void> {
    let write = given
    if (write.isSent && Date.now() - write.at > requestAge * 1_000)
      return fail(device, write, { code: -1, reason: 'requestExpired', message: 'The server may have it, or not.' })
    if (!write.isSent) {
      write = { ...write, isSent: true }
      await device.commit(() => changeLatest(device, write, { isSent: true }))
    }
    // Discarded, or of another user by now.
    if (controller.signal.aborted || !latest(device, write)) return
    const credential = client.internal.current?.credential
    if (!isOwnSession(client, credential)) throw new Error('Another tab has changed the session.')
    let answers: Answers
    // Others may learn in between that the class takes no ids of clients.
    const hasOwnIds = makesOwnIds(device, write)
    try {
      answers = await transmit(client, device, write, controller.signal)
    } catch (cause) {
      if (controller.signal.aborted) throw cause
      const error = toCountersignError(cause)
      if (error.code === errorCodes.InvalidSessionToken) {
        if (credential) endSession(client, credential)
        throw error
      }
      // A network may return pages of its own, such as a hotel's sign-in.
      if (isTransient(error) || error.reason === 'invalidResponse') throw error
      if (error.code === errorCodes.InvalidKeyName && hasOwnIds) return takeServerIds(device, write)
      if (error.reason === 'objectChanged' && resolve && write.parts.length === 1) return settleConflict(write, error)
      return fail(device, write, toWriteError(error))
    }
    // A full disk is no refusal: the write is sent once more, and the server repeats its response.
    await device.commit(() => settle(device, latest(device, write) ?? write, answers))
  }

  async function settleConflict(write: QueuedWrite, error: CountersignError): Promise<void> {
    const [part] = write.parts
    if (!part || !resolve) return
    const { className, objectId, fields } = part
    const present = error.object
    const conflict = { className, objectId, fields: fields as WireFields | undefined, present }
    const answer = await askFor(resolve, conflict)
    if (!answer) return fail(device, write, toWriteError(error))
    const ifUpdatedAt = typeof present?.updatedAt === 'string' ? present.updatedAt : undefined
    const next: WritePart = { ...part, fields: answer as WireFields, ifUpdatedAt }
    await device.commit(() => {
      const known = device.rowsOf(className).get(objectId)
      // While a person decided, the document may have changed again, or be gone.
      const isNewer = present && known && String(known.updatedAt) < String(present.updatedAt)
      return [
        ...changeLatest(device, write, { requestId: createUuid(), isSent: false, parts: [next] }),
        ...(isNewer ? [[keyOf.row(className, objectId), withoutType(present)] as const] : []),
      ]
    })
  }

  return {
    pump,
    wake() {
      clearTimeout(retry)
      retry = undefined
      pump()
    },
    stop() {
      controller.abort()
      clearTimeout(retry)
    },
  }
}

/** The class takes no ids of clients: nothing was made, and the server gives the ids. */
async function takeServerIds(device: Device, write: QueuedWrite): Promise<void> {
  const names = new Set(write.parts.flatMap((part) => (part.kind === 'create' ? part.className : [])))
  await device.commit(() => [
    ...changeLatest(device, write, { requestId: createUuid(), isSent: false }),
    ...[...names].map((className) => [keyOf.ids(className), true] as const),
  ])
}

function fail(device: Device, write: QueuedWrite, error: WriteError): Promise<void> {
  return device.commit(() => {
    const refused = changeLatest(device, write, { error })
    const others = refused.length > 0 ? dependentsOf(device.writes(), write) : []
    return [
      ...refused,
      ...others.map((other) => [keyOf.write(other.key), { ...other, failedWith: write.key }] as const),
    ]
  })
}

/** A function that fails gives up, also where it throws at once. */
function askFor(resolve: Resolve, conflict: Parameters<Resolve>[0]): Promise<object | undefined> {
  return Promise.resolve(conflict)
    .then(resolve)
    .catch(() => undefined)
}

function toWriteError({ code, reason, message, object }: CountersignError): WriteError {
  return { code, reason, message, ...(object && { object }) }
}

/** As it is now: an event may have marked it. Undefined once it was discarded. */
function latest(device: Device, write: QueuedWrite): QueuedWrite | undefined {
  return device.writes().find(({ key }) => key === write.key)
}

function changeLatest(device: Device, write: QueuedWrite, changes: Partial<QueuedWrite>): readonly OfflineChange[] {
  const known = latest(device, write)
  return known ? [[keyOf.write(write.key), { ...known, ...changes }]] : []
}

/** A cookie is that of the tab that signed in last, before the others know. */
function isOwnSession({ internal }: Client, credential: Credential | undefined): boolean {
  const stored = internal.connection && findStoredSession(internal.connection)
  return !stored || stored.credential.id === credential?.id
}

function makesOwnIds(device: Device, { parts }: QueuedWrite): boolean {
  return parts.some(({ kind, className }) => kind === 'create' && !device.hasServerIds(className))
}
