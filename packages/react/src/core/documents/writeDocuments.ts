import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import type { Client, PendingChange } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import { readerOf } from '../readings/readerOf.ts'
import { refreshRecord } from '../session/refreshRecord.ts'
import { request } from '../session/request.ts'
import type { AnySaveInput } from '../values/Changes.ts'
import type { Ref } from '../values/Document.ts'
import { decode } from '../values/decode.ts'
import { encode, isOperation } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import { isEqual } from '../values/isEqual.ts'
import { assign, type Fields, isFields } from './assign.ts'
import { holds, insertDocument, isAffected, type Named, type Written } from './belongs.ts'
import {
  dropChange,
  findFreshest,
  headOf,
  mapDocument,
  type Patch,
  patchReadings,
  renameIds,
  replaceNew,
  showChange,
  takeFields,
  timeOf,
} from './documentEdits.ts'
import { readDocument } from './findDocuments.ts'
import { notifyClass } from './invalidateDocuments.ts'
import type { EncodedInput, Optimistic } from './SaveOptions.ts'
import { type Outcome, sendBatch } from './sendBatch.ts'
import { createTemporaryId, inOrder, listTemporaryIds, orderKey, serverId } from './writeOrder.ts'

type OneOptions = Optimistic & { readonly signal: AbortSignal | undefined }

type BatchOptions = { transaction: boolean | undefined; signal: AbortSignal | undefined }

/** Sends one save and gives the object as it is then. */
export function writeOne<Item>(
  client: Client,
  input: AnySaveInput,
  encoded: EncodedInput,
  { signal, optimistic }: OneOptions,
): Promise<Item> {
  const save = prepareSave(client, input, encoded)
  const { className, objectId } = save
  const { offline } = client.internal
  if (offline?.keeps(className)) return offline.queue([save]).then(([document]) => document as Item)
  const shownAs = objectId ?? createTemporaryId()
  const pending = optimistic ? showSave(client, input, encoded, shownAs) : undefined
  const keys = keysOf(client, save, objectId ?? (pending && shownAs))
  return inOrder(client, keys, signal, (reader) => sendOne(client, save, { shownAs, pending, signal, reader })).catch(
    (error) => {
      if (pending) dropChange(client, { className, objectId: serverId(client, shownAs) }, pending)
      throw error
    },
  ) as Promise<Item>
}

function showSave(client: Client, input: AnySaveInput, encoded: EncodedInput, objectId: string): PendingChange {
  if ('object' in input) return showChange(client, input.object, encoded, input.object)
  const now = new Date()
  const { className } = input
  return showChange(client, { className, objectId }, encoded, { createdAt: now, updatedAt: now }, true)
}

/** Documents that a save has to wait for: its own, and new ones that it points to. */
function keysOf(client: Client, { fields }: PreparedSave, objectId: string | undefined): readonly string[] {
  return [...(objectId === undefined ? [] : [orderKey(client, objectId)]), ...listTemporaryIds(fields)]
}

type Sending = {
  readonly shownAs: string
  readonly pending: PendingChange | undefined
  readonly signal: AbortSignal | undefined
  readonly reader: string | undefined
}

async function sendOne(
  client: Client,
  save: PreparedSave,
  { shownAs, pending, signal, reader }: Sending,
): Promise<unknown> {
  const { className, read } = save
  const fields = withServerIds(client, save.fields)
  if (save.objectId === undefined) {
    const answer = await request(client, 'createObject', { ...fields, className }, { signal })
    const made = read(answer) as Named
    if (pending) {
      client.internal.madeIds.set(shownAs, made.objectId).set(made.objectId, shownAs)
      replaceNew(client, { className, objectId: shownAs }, pending, made, () => bakeNew(client, made))
    }
    await settle(client, reader, [
      { className, objectId: made.objectId, kind: 'create', fields, answer, document: made },
    ])
    return made
  }
  const objectId = serverId(client, save.objectId)
  if (Object.keys(fields).length === 0) {
    if (pending) dropChange(client, { className, objectId }, pending)
    return read({})
  }
  try {
    const answer = await request(client, 'updateObject', { ...fields, className, objectId }, { signal })
    const document = Object.freeze({ ...(read(answer) as object), objectId })
    await settle(client, reader, [{ className, objectId, kind: 'update', fields, answer, document, pending }])
    return document
  } catch (error) {
    readAgain(client, { className, objectId })
    throw error
  }
}

function withServerIds(client: Client, fields: EncodedInput): EncodedInput {
  return listTemporaryIds(fields).reduce((known, id) => renameIds(known, id, serverId(client, id)), fields)
}

/** Shows a document that was made in the lists that it surely belongs into, until they are read again. */
function bakeNew(client: Client, made: Named): void {
  for (const { asked, reading } of client.internal.readings.values()) {
    const until = Date.now() + 10_000
    let isSeen = false
    reading.patch((data) => {
      // Once a live list has it, it may also lose it again.
      isSeen ||= holds(data, { ...made, kind: 'update' })
      return isSeen || Date.now() > until ? data : insertDocument(data, made, asked)
    })
  }
}

type Settled = Omit<Written, 'fields'> & {
  readonly fields: WireChanges
  readonly answer: object
  readonly pending?: PendingChange | undefined
}

/** Applies the server's responses to the readings; only lists and counts that may have changed are read again. */
async function settle(client: Client, reader: string | undefined, writes: readonly Settled[]): Promise<void> {
  const { internal } = client
  // Another user has signed in since, and may read less of it.
  const isSame = readerOf(client) === reader
  const stale = new Set(
    [...internal.readings.values()].filter(({ asked, base }) => {
      return writes.some((write) => isAffected(asked, base(), toWritten(client, write)))
    }),
  )
  for (const write of writes) {
    const { className, objectId, kind, fields, answer, pending } = write
    noteTime(client, objectId, answer)
    if (kind === 'create' || !isSame) continue
    const change = (document: object, asked: object = {}) =>
      kind === 'delete' ? undefined : patchDocument(document, fields, answer, asked)
    const patch: Patch = (data, asked) =>
      mapDocument(data, { className, objectId }, (document) => change(document, asked))
    patchReadings(internal.readings.values(), patch)
    dropChange(client, { className, objectId }, pending, change)
  }
  for (const { reading } of stale) reading.invalidate()
  for (const className of new Set(writes.map((write) => write.className))) notifyClass(client, className)
  const user = internal.current?.record.objectId
  const isOwn = writes.some(({ className, objectId }) => className === '_User' && objectId === user)
  if (user && isOwn) await refreshRecord(client, undefined).catch(() => undefined)
}

function toWritten(client: Client, { className, objectId, kind, fields, answer, document }: Settled): Written {
  const heads = new Set([...Object.keys(fields), ...Object.keys(answer)].map(headOf))
  const known =
    kind === 'create' ? document : { ...findFreshest(client, { className, objectId }, undefined), ...document }
  return { className, objectId, kind, fields: heads, document: known }
}

/** The document with the sent and returned fields; one that was read after the save stays unchanged. */
function patchDocument(document: object, fields: WireChanges, answer: object, asked: object): object {
  const merged = mergeAnswer(document as Ref, fields, answer) as object
  if (timeOf(document) >= timeOf(merged)) return document
  return takeFields(document, merged, new Set([...Object.keys(fields), ...Object.keys(answer)].map(headOf)), asked)
}

/** Times of this client's latest writes, by document: a save is not compared with earlier readings. */
const mostTimes = 1_000

function noteTime({ internal }: Client, objectId: string, answer: object): void {
  const { savedAt } = internal
  savedAt.delete(objectId)
  savedAt.set(objectId, Date.parse(Object(answer).updatedAt) || Date.now())
  const [oldest] = savedAt.keys()
  if (savedAt.size > mostTimes && oldest !== undefined) savedAt.delete(oldest)
}

/** After a failure the server's state is unknown: readings of the document are refreshed. */
function readAgain({ internal }: Client, target: { className: string; objectId: string }): void {
  for (const { asked, reading, base } of internal.readings.values()) {
    const isAsked = Object(Object.values(asked)[0]).objectId === target.objectId
    if (isAsked || holds(base(), { ...target, kind: 'update' })) reading.invalidate()
  }
}

/** Creates and changes several objects; each has its own outcome. */
export function writeMany(
  client: Client,
  inputs: readonly AnySaveInput[],
  encoded: readonly EncodedInput[],
  options: BatchOptions,
): Promise<readonly Outcome<unknown>[]> {
  const saves = inputs.map((input, index) => prepareSave(client, input, encoded[index] ?? {}))
  const { offline } = client.internal
  if (offline && saves.every(({ className }) => offline.keeps(className)))
    return offline.queue(saves, options.transaction).then((documents) => documents.map(succeed))
  const sent = saves.filter(({ objectId, fields }) => objectId === undefined || Object.keys(fields).length > 0)
  const keys = [...new Set(sent.flatMap((save) => keysOf(client, save, save.objectId)))]
  return inOrder(client, keys, options.signal, async (reader) => {
    const items = sent.map(({ className, objectId, fields }) => ({
      method: objectId !== undefined ? ('PUT' as const) : ('POST' as const),
      path: ['classes', className, ...(objectId === undefined ? [] : [serverId(client, objectId)])],
      body: withServerIds(client, fields),
    }))
    const answers = await sendBatch(client, items, options).catch((error) => {
      for (const { className, objectId } of sent) if (objectId) readAgain(client, { className, objectId })
      throw error
    })
    const settled = sent.flatMap((save, index): Settled[] => {
      const outcome = answers[index]
      if (outcome?.status !== 'success') return []
      const { className, fields } = save
      const document = save.read(outcome.data) as Named
      const kind = save.objectId === undefined ? 'create' : 'update'
      return [{ className, objectId: document.objectId, kind, fields, answer: outcome.data, document }]
    })
    await settle(client, reader, settled)
    return Object.freeze(
      saves.map((save): Outcome<unknown> => {
        const outcome = answers[sent.indexOf(save)] ?? { status: 'success', data: {} }
        return outcome.status === 'error' ? outcome : { status: 'success', data: save.read(outcome.data) }
      }),
    )
  })
}

function succeed<Data>(data: Data): Outcome<Data> {
  return { status: 'success', data }
}

/** Deletes one object. */
export function destroyOne(client: Client, object: Ref, { signal, optimistic }: OneOptions): Promise<void> {
  const { className } = object
  const { offline } = client.internal
  if (offline?.keeps(className)) return offline.queue([{ className, objectId: object.objectId }]).then(() => undefined)
  const pending = optimistic ? showChange(client, object, undefined, object) : undefined
  return inOrder(client, [orderKey(client, object.objectId)], signal, async (reader) => {
    const objectId = serverId(client, object.objectId)
    try {
      await request(client, 'deleteObject', { className, objectId }, { signal })
    } catch (error) {
      readAgain(client, { className, objectId })
      throw error
    }
    await settle(client, reader, [
      { className, objectId, kind: 'delete', fields: {}, answer: {}, document: object, pending },
    ])
  }).catch((error) => {
    dropChange(client, { className, objectId: serverId(client, object.objectId) }, pending)
    throw error
  })
}

/** Destroys several objects; each has its own outcome. */
export function destroyMany(
  client: Client,
  objects: readonly Ref[],
  options: BatchOptions,
): Promise<readonly Outcome<undefined>[]> {
  const { offline } = client.internal
  if (offline && objects.every(({ className }) => offline.keeps(className))) {
    const writes = objects.map(({ className, objectId }) => ({ className, objectId }))
    return offline.queue(writes, options.transaction).then((gone) => gone.map(() => succeed(undefined)))
  }
  const keys = [...new Set(objects.map(({ objectId }) => orderKey(client, objectId)))]
  return inOrder(client, keys, options.signal, async (reader) => {
    const items = objects.map(({ className, objectId }) => ({
      method: 'DELETE' as const,
      path: ['classes', className, serverId(client, objectId)],
    }))
    const outcomes = await sendBatch(client, items, options).catch((error) => {
      for (const object of objects) readAgain(client, object)
      throw error
    })
    const gone = objects.filter((_, index) => outcomes[index]?.status === 'success')
    await settle(
      client,
      reader,
      gone.map(({ className, objectId, ...rest }) => ({
        className,
        objectId: serverId(client, objectId),
        kind: 'delete',
        fields: {},
        answer: {},
        document: rest,
      })),
    )
    return Object.freeze(
      outcomes.map((outcome) => (outcome.status === 'error' ? outcome : { ...outcome, data: undefined })),
    )
  })
}

type PreparedSave = {
  readonly className: string
  /** Absent for an object that is yet to be made. */
  readonly objectId?: string
  readonly fields: WireFields & WireChanges
  /** The object after this response. */
  readonly read: (answer: object) => unknown
}

/** Prepares a save: of a document that was read only the differences, and nothing if there are none. */
function prepareSave(client: Client, input: AnySaveInput, encoded: WireFields & WireChanges): PreparedSave {
  if ('fields' in input) {
    const { className } = input
    if (className === '_User') throw new ValidationError('Users can’t be created as documents.', 'Call signUp instead.')
    const values = Object.entries(encoded).filter(([, value]) => !isOperation(value))
    return { className, fields: encoded, read: (answer) => readNew(className, Object.fromEntries(values), answer) }
  }
  const { object } = input
  const isKnown = object.__type === 'Object' && isCurrent(client, object)
  const known = isKnown ? new Map<string, unknown>(Object.entries(object)) : undefined
  const changed = Object.entries(encoded).filter(
    ([name, value]) => !known?.has(name) || isOperation(value) || !isEqual(encodeKnown(known, name), value),
  )
  const fields = Object.fromEntries(changed)
  const { className, objectId } = object
  return { className, objectId, fields, read: (answer) => mergeAnswer(object, fields, answer) }
}

/** Returns true if this client has no pending or finished write since the document was read. */
function isCurrent(client: Client, object: Ref): boolean {
  const { writes, savedAt } = client.internal
  return !writes.has(orderKey(client, object.objectId)) && (savedAt.get(object.objectId) ?? 0) <= timeOf(object)
}

function readNew(className: string, values: WireFields, answer: object): unknown {
  const { createdAt }: { createdAt?: WireValue } = answer
  return readDocument(className, { ...values, ...(createdAt && { updatedAt: createdAt }), ...answer })
}

function encodeKnown(known: Map<string, unknown>, name: string): WireValue {
  return encode((known.get(name) ?? null) as Parameters<typeof encode>[0], name)
}

/** The object after a save: known, sent and returned values. */
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

/** For a path, the server returns only that path. */
function merge(before: FieldValue | undefined, returned: FieldValue | undefined): FieldValue | undefined {
  if (!isFields(before) || !isFields(returned)) return returned
  const entries = Object.entries(returned).map(([name, value]) => [name, merge(before[name], value)])
  return Object.freeze({ ...before, ...Object.fromEntries(entries) })
}
