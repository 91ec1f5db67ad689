import {
  type BatchAnswer,
  type BatchRequest,
  CountersignError,
  errorCodes,
  type WireChanges,
  type WireFields,
  type WireValue,
} from '@countersign/protocol'
import type { Client, Connection, Credential } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { toCountersignError, ValidationError } from '../errors/errors.ts'
import { buildRequest, readReason } from '../http/sendRequest.ts'
import { endSession, renewCredential, selectFields, updateCurrent } from '../session/currentSession.ts'
import { refreshRecord } from '../session/refreshRecord.ts'
import { request } from '../session/request.ts'
import type { AnySaveInput } from '../values/Changes.ts'
import type { Ref, StoredFile } from '../values/Document.ts'
import { decode, readRecord, type UserFields } from '../values/decode.ts'
import { encode, isOperation } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import { isEqual } from '../values/isEqual.ts'
import { assign, changeDocument, type Fields, isFields, replaceFields } from './assign.ts'
import { readDocument } from './findDocuments.ts'
import { invalidateDocuments } from './invalidateDocuments.ts'
import { whileShown } from './optimistic.ts'
import type { EncodedInput, Optimistic } from './SaveOptions.ts'
import { sendForm } from './sendForm.ts'
import type { UploadFileInput } from './UploadFileInput.ts'

/** Documents of these classes have changed: their readers read again, and the session reads its user again. */
async function settleSave(client: Client, objects: readonly { className: string; objectId?: string }[]) {
  for (const className of new Set(objects.map((object) => object.className))) invalidateDocuments(client, className)
  const user = client.internal.current?.record.objectId
  const isOwn = objects.some(({ className, objectId }) => className === '_User' && objectId === user)
  if (user && isOwn) await refreshRecord(client, undefined).catch(() => undefined)
}

const longest = 128

type Sender = { connection: Connection; credential: Credential | undefined; signal: AbortSignal | undefined }

/** Sends one file as a form. */
async function sendFile(
  client: Client,
  input: UploadFileInput,
  { connection, credential, signal }: Sender,
): Promise<StoredFile> {
  const { file, onProgress } = input
  const name = fileName(input.name ?? ('name' in file && typeof file.name === 'string' ? file.name : 'file'))
  const { url, init } = buildRequest(connection, 'uploadFile', { name }, credential)
  try {
    const answer = await sendForm(client.internal.options, url, init, writeForm(input, name), { onProgress, signal })
    return { __type: 'File', ...(answer as { name: string; url: string }) }
  } catch (cause) {
    const error = toCountersignError(cause)
    if (credential && error.code === errorCodes.InvalidSessionToken) endSession(client, credential)
    throw error
  }
}

function writeForm({ file, metadata, tags, ipfs }: UploadFileInput, name: string): FormData {
  const form = new FormData()
  if (metadata) form.append('metadata', JSON.stringify(metadata))
  if (tags) form.append('tags', JSON.stringify(tags))
  if (ipfs) form.append('ipfs', 'true')
  form.append('file', file, name)
  return form
}

/** A name as the server takes it: what people call their files holds signs that it does not. */
export function fileName(name: string): string {
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? clean(name.slice(dot)) : ''
  const stem = clean(dot > 0 ? name.slice(0, dot) : name).replace(/^[^A-Za-z0-9_]+/, '')
  const cut = stem.slice(0, longest - ending.length).replace(/[. ]+$/, '')
  return `${cut === '' ? 'file' : cut}${ending.replace(/[. ]+$/, '')}`.slice(0, longest)
}

function clean(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9@. ~_-]/g, '_')
}

/** Sends what differs from the record, and makes the answer the present one. */
async function sendUser(
  client: Client,
  { objectId, ...record }: UserFields,
  fields: WireFields,
  signal: AbortSignal | undefined,
): Promise<void> {
  const before = new Map<string, WireValue>(Object.entries(record))
  const changed = selectFields(fields, (name, value) => isOperation(value) || !isEqual(before.get(name), value))
  if (Object.keys(changed).length === 0) return
  const answer = await request(client, 'updateUser', { ...changed, objectId }, { signal })
  const { current } = client.internal
  if (current?.record.objectId !== objectId) return
  const values = selectFields(changed, (_, value) => !isOperation(value))
  const saved = readRecord({ ...current.record, ...values, ...answer, objectId })
  if (Object.hasOwn(changed, 'password')) {
    renewCredential(client, requireConnection(client), answer.sessionToken)
    for (const { asked, reading } of client.internal.readings.values())
      if ('listSessions' in asked) reading.invalidate()
  }
  updateCurrent(client, { record: saved })
  // Operations, and a new address that has yet to be verified, change more than was sent.
  if (Object.hasOwn(changed, 'email') || Object.values(changed).some(isOperation)) {
    await refreshRecord(client, signal).catch(() => undefined)
  }
}

/** Creates and changes several objects; each has its own outcome. */
async function writeMany(
  client: Client,
  inputs: readonly AnySaveInput[],
  encoded: readonly EncodedInput[],
  options: { transaction: boolean | undefined; signal: AbortSignal | undefined },
): Promise<readonly Outcome<unknown>[]> {
  const saves = inputs.map((input, index) => prepareSave(input, encoded[index] ?? {}))
  const sent = saves.filter(({ objectId, fields }) => objectId === undefined || Object.keys(fields).length > 0)
  const items = sent.map(({ className, objectId, fields }) => ({
    method: objectId !== undefined ? ('PUT' as const) : ('POST' as const),
    path: ['classes', className, ...(objectId === undefined ? [] : [objectId])],
    body: fields,
  }))
  const answers = await sendBatch(client, items, options).finally(() => settleSave(client, sent))
  return Object.freeze(
    saves.map((save): Outcome<unknown> => {
      const outcome = answers[sent.indexOf(save)] ?? { status: 'success', data: {} }
      return outcome.status === 'error' ? outcome : { status: 'success', data: save.read(outcome.data) }
    }),
  )
}

type OneOptions = Optimistic & { readonly signal: AbortSignal | undefined }

/** Sends one save and gives the object as it is then. */
function writeOne<Item>(
  client: Client,
  input: AnySaveInput,
  encoded: EncodedInput,
  { signal, optimistic }: OneOptions,
): Promise<Item> {
  const send = () => sendOne<Item>(client, input, encoded, signal)
  if (!optimistic || 'fields' in input) return send()
  return whileShown(client, input.object, send, {
    before: (document) => changeDocument(document as Fields, encoded),
    after: (document, saved) => replaceFields(document, saved, ['updatedAt', ...Object.keys(encoded)]),
  })
}

async function sendOne<Item>(
  client: Client,
  input: AnySaveInput,
  encoded: EncodedInput,
  signal: AbortSignal | undefined,
): Promise<Item> {
  const { className, objectId, fields, read } = prepareSave(input, encoded)
  if (objectId === undefined) {
    const answer = await request(client, 'createObject', { ...fields, className }, { signal })
    await settleSave(client, [{ className }])
    return read(answer) as Item
  }
  if (Object.keys(fields).length === 0) return read({}) as Item
  const answer = await request(client, 'updateObject', { ...fields, className, objectId }, { signal })
  await settleSave(client, [{ className, objectId }])
  return read(answer) as Item
}

/** Deletes one object. */
function destroyOne(client: Client, object: Ref, { signal, optimistic }: OneOptions): Promise<void> {
  const { className, objectId } = object
  const send = async () => {
    await request(client, 'deleteObject', { className, objectId }, { signal })
    await settleSave(client, [{ className }])
  }
  const gone = () => undefined
  return optimistic ? whileShown(client, object, send, { before: gone, after: gone }) : send()
}

/** Destroys several objects; each has its own outcome. */
async function destroyMany(
  client: Client,
  objects: readonly Pick<Ref, 'className' | 'objectId'>[],
  options: { transaction: boolean | undefined; signal: AbortSignal | undefined },
): Promise<readonly Outcome<undefined>[]> {
  const items = objects.map(({ className, objectId }) => ({
    method: 'DELETE' as const,
    path: ['classes', className, objectId],
  }))
  const outcomes = await sendBatch(client, items, options).finally(() => settleSave(client, objects))
  return Object.freeze(
    outcomes.map((outcome) => (outcome.status === 'error' ? outcome : { ...outcome, data: undefined })),
  )
}

/** What changes objects and sends files, in one piece, so that one request of the browser brings all of it. */
export const writing = { destroyMany, destroyOne, sendFile, sendUser, settleSave, writeMany, writeOne }

type PreparedSave = {
  readonly className: string
  /** Absent for an object that is yet to be made. */
  readonly objectId?: string
  readonly fields: WireFields & WireChanges
  /** The object as it is after the server gave this answer. */
  readonly read: (answer: object) => unknown
}

/** What is to be sent for a save: of an object that was read only what differs, and nothing if nothing does. */
function prepareSave(input: AnySaveInput, encoded: WireFields & WireChanges): PreparedSave {
  if ('fields' in input) {
    const { className } = input
    if (className === '_User') throw new ValidationError('Accounts are made by signing up.', 'Call signUp instead.')
    const values = Object.entries(encoded).filter(([, value]) => !isOperation(value))
    return { className, fields: encoded, read: (answer) => readNew(className, Object.fromEntries(values), answer) }
  }
  const { object } = input
  const known = object.__type === 'Object' ? new Map<string, unknown>(Object.entries(object)) : undefined
  const changed = Object.entries(encoded).filter(
    ([name, value]) => !known?.has(name) || isOperation(value) || !isEqual(encodeKnown(known, name), value),
  )
  const fields = Object.fromEntries(changed)
  const { className, objectId } = object
  return { className, objectId, fields, read: (answer) => mergeAnswer(object, fields, answer) }
}

function readNew(className: string, values: WireFields, answer: object): unknown {
  const { createdAt }: { createdAt?: WireValue } = answer
  return readDocument(className, { ...values, ...(createdAt && { updatedAt: createdAt }), ...answer })
}

function encodeKnown(known: Map<string, unknown>, name: string): WireValue {
  return encode((known.get(name) ?? null) as Parameters<typeof encode>[0], name)
}

/** The object after a save: what was known of it, the values that were sent, and the results that the server returned. */
function mergeAnswer(object: Ref, changes: WireChanges, answer: object): unknown {
  let fields: Fields = { ...object, __type: 'Object' }
  for (const [path, value] of Object.entries(changes)) {
    if (!isOperation(value)) fields = assign(fields, path.split('.'), decode(value))
    else if (value.__op === 'Delete') fields = assign(fields, path.split('.'), undefined)
    else if (value.__op === 'AddRelation' && value.objects[0]) {
      fields = { ...fields, [path]: Object.freeze({ __type: 'Relation', className: value.objects[0].className }) }
    }
  }
  const reached = new Set(Object.keys(changes).flatMap((path) => (path.includes('.') ? path.split('.', 1) : [])))
  const returned = Object.entries(decode({ ...answer, __type: 'Object', className: object.className }) as Fields)
  for (const [name, value] of returned) {
    fields = { ...fields, [name]: reached.has(name) ? merge(fields[name], value) : value }
  }
  return Object.freeze(fields)
}

/** Of a path, the server returns only what is on it. */
function merge(before: FieldValue | undefined, returned: FieldValue | undefined): FieldValue | undefined {
  if (!isFields(before) || !isFields(returned)) return returned
  const entries = Object.entries(returned).map(([name, value]) => [name, merge(before[name], value)])
  return Object.freeze({ ...before, ...Object.fromEntries(entries) })
}

/** How many requests travel together. */
const size = 20

export type BatchItem = {
  readonly method: BatchRequest['method']
  readonly path: readonly string[]
  readonly body?: BatchRequest['body']
}

export type Outcome<Data> =
  | { readonly status: 'success'; readonly data: Data }
  | { readonly status: 'error'; readonly error: CountersignError }

/** Sends many requests in as few as may be; the outcomes stand in the same order. A transaction is never divided. */
export async function sendBatch(
  client: Client,
  items: readonly BatchItem[],
  { transaction, signal }: { transaction: boolean | undefined; signal: AbortSignal | undefined },
): Promise<Outcome<object>[]> {
  const mount = requireConnection(client).serverUrl.replace(/^\w+:\/\/[^/]+/, '')
  const requests = items.map(({ method, path, body }) => ({
    method,
    path: [mount, ...path.map(encodeURIComponent)].join('/'),
    ...(body && { body }),
  }))
  const step = transaction ? Math.max(requests.length, 1) : size
  const outcomes: Outcome<object>[] = []
  for (let start = 0; start < requests.length; start += step) {
    const part = requests.slice(start, start + step)
    const input = transaction ? { requests: part, transaction } : { requests: part }
    outcomes.push(...(await request(client, 'batch', input, { signal })).map(readOutcome))
  }
  return outcomes
}

function readOutcome(answer: BatchAnswer): Outcome<object> {
  if ('success' in answer) return { status: 'success', data: answer.success }
  const { code, error } = answer.error
  const details = 'The server refused this one of several that were sent together.'
  return { status: 'error', error: new CountersignError(code, error, { ...readReason(answer.error), details }) }
}
