import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Client, Offline, PreparedWrite } from '../client/Client.ts'
import { fileName } from '../documents/fileName.ts'
import { readDocument } from '../documents/findDocuments.ts'
import { writeCall } from '../documents/runFunction.ts'
import type { UploadFileInput } from '../documents/UploadFileInput.ts'
import { ValidationError } from '../errors/errors.ts'
import { createUuid } from '../platform/platform.ts'
import type { StoredFile } from '../values/Document.ts'
import { isOperation } from '../values/encode.ts'
import { type Device, keyOf } from './createDevice.ts'
import { createUlid, createUlidAfter } from './createIds.ts'
import type { OfflineChange } from './OfflineStore.ts'
import type { Opened } from './openUser.ts'
import { dependentsOf, type QueuedWrite, type WritePart } from './QueuedWrite.ts'

export type Queueing = Pick<Offline, 'queue'> & {
  readonly retry: (key: string) => Promise<void>
  readonly discard: (key: string) => Promise<void>
  readonly call: (name: string, input: object | undefined) => Promise<void>
  readonly upload: (input: UploadFileInput) => Promise<StoredFile>
}

type NewWrite = Pick<QueuedWrite, 'parts' | 'call' | 'file'>

type Parts = {
  /** The present user's documents, once they are loaded. */
  readonly whenOpen: () => Promise<Opened>
  /** Changes of documents that others have changed are refused. */
  readonly isRefusing: (className: string) => boolean
  readonly functions: readonly string[]
}

/** Puts writes into the queue, and takes refused ones out. */
export function createQueueing(client: Client, { whenOpen, isRefusing, functions }: Parts): Queueing {
  function prepare(device: Device, { className, objectId, fields }: PreparedWrite): WritePart {
    if (objectId === undefined) {
      const { objectId: given, ...own } = (fields ?? {}) as WireFields
      return { kind: 'create', className, objectId: typeof given === 'string' ? given : createUlid(), fields: own }
    }
    const target = device.resolveId(objectId)
    const known = device.rowsOf(className).get(target)
    // Operations merge on the server.
    const isPlain = !fields || Object.values(fields).some((value) => !isOperation(value))
    const isRefused = isRefusing(className) && isPlain
    const ifUpdatedAt = isRefused && typeof known?.updatedAt === 'string' ? known.updatedAt : undefined
    return { kind: fields ? 'update' : 'delete', className, objectId: target, fields, ifUpdatedAt }
  }

  function toWrites(parts: readonly WritePart[], isWhole: boolean): readonly NewWrite[] {
    const groups = isWhole && parts.length > 0 ? [parts] : parts.map((part) => [part])
    return groups.map((group) => ({ parts: group }))
  }

  /** Puts new writes at the end of the queue. */
  async function add(opened: Opened, writes: readonly NewWrite[]): Promise<void> {
    let key = opened.device.writes().at(-1)?.key
    const placed = writes.map((write): QueuedWrite => {
      key = createUlidAfter(key)
      return { key, requestId: createUuid(), at: Date.now(), ...write }
    })
    await put(opened, placed)
  }

  async function put({ device, sender }: Opened, writes: readonly QueuedWrite[]): Promise<void> {
    try {
      await device.commit(writes.map((write): OfflineChange => [keyOf.write(write.key), write]))
    } catch (cause) {
      if (Object(cause).name !== 'QuotaExceededError') throw cause
      throw new CountersignError('OtherCause', 'This device has no room left to save changes.', {
        reason: 'deviceFull',
        cause,
      })
    }
    sender()?.pump()
  }

  return {
    async queue(given, transaction = false) {
      const opened = await whenOpen()
      const { device } = opened
      const prepared = given.map((write) => prepare(device, write))
      const writes = toWrites(
        prepared.filter(({ kind, fields = {} }) => kind !== 'update' || Object.keys(fields).length > 0),
        transaction,
      )
      await add(opened, writes)
      const { savedAt } = client.internal
      return prepared.map(({ className, objectId, kind }) => {
        const row = device.viewOf(className).get(objectId)
        // A snapshot from before this write is not compared with later changes.
        savedAt.set(objectId, Date.parse(String(row?.updatedAt)) || Date.now())
        if (kind === 'delete') return undefined
        return readDocument(className, row ?? { objectId })
      })
    },
    async retry(key) {
      const opened = await whenOpen()
      const { device } = opened
      const back = device.writes().filter((write) => write.key === key || write.failedWith === key)
      await put(
        opened,
        back.map(({ error, failedWith: _, ...write }) =>
          // The server stores no refusal, but what is sent again may be another request by now.
          error ? { ...write, requestId: createUuid(), isSent: false } : write,
        ),
      )
    },
    async discard(key) {
      const { device } = await whenOpen()
      const writes = device.writes()
      const write = writes.find((other) => other.key === key)
      if (!write) return
      const isMaking = write.file !== undefined || write.parts.some(({ kind }) => kind === 'create')
      const others = write.error
        ? writes.filter(({ failedWith }) => failedWith === key)
        : isMaking
          ? dependentsOf(writes, write)
          : []
      // Writes that build on a document that is never made go with it; others are sent without this one.
      await device.commit([
        [keyOf.write(key), undefined],
        ...others.map(
          ({ failedWith: _, ...other }): OfflineChange => [keyOf.write(other.key), isMaking ? undefined : other],
        ),
      ])
    },
    async call(name, input) {
      if (!functions.includes(name)) {
        throw new ValidationError(
          `${name} may not be queued.`,
          'Name it in functions, if running it twice does no harm.',
        )
      }
      const { _function: _, ...fields } = writeCall(name, input)
      await add(await whenOpen(), [{ parts: [], call: { name, input: fields } }])
    },
    async upload({ file, name }) {
      const opened = await whenOpen()
      const standsFor = createUlid()
      const given = name ?? ('name' in file && typeof file.name === 'string' ? file.name : 'file')
      await add(opened, [{ parts: [], file: { blob: file, name: fileName(given), standsFor } }])
      return { __type: 'File', name: standsFor, url: URL.createObjectURL(file) }
    },
  }
}
