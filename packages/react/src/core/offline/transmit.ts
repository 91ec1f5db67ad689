import { CountersignError, headers, type WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import type { EncodedInput } from '../documents/SaveOptions.ts'
import { readReason, sendRequest } from '../http/sendRequest.ts'
import { isOperation } from '../values/encode.ts'
import { changeRow } from './applyWrites.ts'
import { type Device, keyOf } from './createDevice.ts'
import type { OfflineChange } from './OfflineStore.ts'
import { keysOf, type QueuedWrite, requestAge, type WritePart } from './QueuedWrite.ts'

export type Answers = readonly (WireFields | undefined)[]

/** Sends a write once more; the server does it once. */
export async function transmit(
  client: Client,
  device: Device,
  write: QueuedWrite,
  signal: AbortSignal,
): Promise<Answers> {
  const { connection, current, options: given } = client.internal
  if (!connection) throw new CountersignError('NotInitialized', 'The client is not connected.')
  const credential = current?.credential
  const sending = {
    ...(credential && { credential }),
    signal,
    attemptLimit: 1,
  }
  const fetch = given.observedFetch ?? given.fetch ?? globalThis.fetch
  const queued = { [headers.requestId]: write.requestId, [headers.requestAge]: String(requestAge) }
  // The id of the request stays the same over reloads.
  const options: typeof given = {
    ...given,
    observedFetch: (url, init) => fetch(url, { ...init, headers: { ...Object(init?.headers), ...queued } }),
  }
  const { parts, call, file } = write
  if (call) {
    await sendRequest(options, connection, 'runFunction', { ...call.input, _function: call.name }, sending)
    return []
  }
  if (file) {
    const { writing } = await import('../documents/writing.ts')
    const { blob, name } = file
    const stored = await writing.sendFile(client, { file: blob, name }, { connection, credential, signal, options })
    return [stored as unknown as WireFields]
  }
  const bodies = parts.map((part) => bodyOf(device, part))
  const [part] = parts
  if (parts.length === 1 && part) {
    const { kind, className, objectId, ifUpdatedAt } = part
    const body = bodies[0] ?? {}
    if (kind === 'create')
      return [await sendRequest(options, connection, 'createObject', { ...body, className } as never, sending)]
    const target = { className, objectId, ...(ifUpdatedAt !== undefined && { ifUpdatedAt }) }
    if (kind === 'delete') return [await sendRequest(options, connection, 'deleteObject', target, sending)]
    return [await sendRequest(options, connection, 'updateObject', { ...body, ...target }, sending)]
  }
  const mount = connection.serverUrl.replace(/^\w+:\/\/[^/]+/, '')
  const methods = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const
  const requests = parts.map(({ kind, className, objectId, ifUpdatedAt }, index) => ({
    method: methods[kind],
    path: [mount, 'classes', className, ...(kind === 'create' ? [] : [objectId])].join('/'),
    body: { ...bodies[index], ...(ifUpdatedAt !== undefined && { ifUpdatedAt }) } as WireFields,
  }))
  const answers = await sendRequest(options, connection, 'batch', { requests, transaction: true }, sending)
  return answers.map((answer) => {
    if ('success' in answer) return answer.success
    const { code, error } = answer.error
    throw new CountersignError(code, error, { status: 400, ...readReason(answer.error) })
  })
}

function bodyOf(device: Device, { kind, className, objectId, fields }: WritePart): EncodedInput {
  const isOwnId = kind === 'create' && !device.hasServerIds(className)
  return { ...fields, ...(isOwnId && { objectId }) } as EncodedInput
}

/** The queue without a write that the server has done, and what it changed on the device. */
export function settle(device: Device, write: QueuedWrite, answers: Answers): readonly OfflineChange[] {
  const changes: OfflineChange[] = [[keyOf.write(write.key), undefined]]
  const renamed = new Map<string, unknown>()
  const times = new Map<string, string>()
  for (const [index, part] of write.parts.entries()) {
    const answer = answers[index] ?? {}
    const { kind, className, objectId } = part
    const madeAs = kind === 'create' ? String(answer.objectId ?? objectId) : objectId
    const row = rowAfter(device, part, answer)
    if (kind === 'delete') changes.push([keyOf.row(className, objectId), undefined])
    else if (row && !part.isGone) changes.push([keyOf.row(className, madeAs), { ...row, objectId: madeAs }])
    if (row?.updatedAt) times.set(objectId, String(row.updatedAt))
    if (madeAs === objectId) continue
    renamed.set(objectId, madeAs)
    changes.push([keyOf.alias(objectId), madeAs])
  }
  if (write.file) renamed.set(write.file.standsFor, answers[0]?.name)
  for (const other of device.writes()) {
    if (other.key === write.key) continue
    const next = moveOn(other, renamed, times)
    if (next !== other) changes.push([keyOf.write(other.key), next])
  }
  return changes
}

/** A later write, with ids that the server gave, and based on the document as it is now. */
function moveOn(
  write: QueuedWrite,
  renamed: ReadonlyMap<string, unknown>,
  times: ReadonlyMap<string, string>,
): QueuedWrite {
  const ids = [...keysOf(write)].filter((id) => renamed.has(id))
  const isBased = write.parts.some(({ objectId, ifUpdatedAt }) => ifUpdatedAt !== undefined && times.has(objectId))
  if (ids.length === 0 && !isBased) return write
  const parts = write.parts.map((part) => {
    const time = part.ifUpdatedAt === undefined ? undefined : times.get(part.objectId)
    return time === undefined ? part : { ...part, ifUpdatedAt: time }
  })
  const text = ids.reduce(
    (known, id) => known.replaceAll(JSON.stringify(id), JSON.stringify(renamed.get(id))),
    JSON.stringify([parts, write.call]),
  )
  const [nextParts, call] = JSON.parse(text) as [WritePart[], QueuedWrite['call'] | null]
  return { ...write, parts: nextParts, ...(call && { call }) }
}

/** The document after the server's response; undefined if there is nothing newer than what is known. */
function rowAfter(device: Device, part: WritePart, answer: WireFields): WireFields | undefined {
  const { kind, className, objectId, fields = {} } = part
  if (kind === 'delete') return undefined
  if (kind === 'create') {
    const known = device.rowsOf(className).get(String(answer.objectId ?? objectId))
    if (known) return known
    const made = changeRow({}, fields)
    return { ...made, updatedAt: answer.createdAt ?? null, ...answer }
  }
  const before = device.rowsOf(className).get(objectId)
  // It left the device in between.
  if (!before) return undefined
  if (String(before.updatedAt) >= String(answer.updatedAt)) return before
  // Results of operations are those of the server.
  const plain = Object.entries(fields).filter(([name, value]) => !isOperation(value) || !(name in answer))
  return { ...changeRow(before, Object.fromEntries(plain)), ...undotted(answer) }
}

function undotted(answer: WireFields): WireFields {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !name.includes('.')))
}

export function withoutType({ __type: _, className: __, ...row }: WireFields): WireFields {
  return row
}
