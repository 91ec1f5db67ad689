import type { Client, DocumentEdit, PendingChange, SharedReading } from '../client/Client.ts'
import { readerOf } from '../readings/readerOf.ts'
import { shareStructure } from '../readings/shareStructure.ts'
import { changeDocument, type Fields } from './assign.ts'
import { findMade, insertDocument, listOf, type Named } from './belongs.ts'
import { readQuestion } from './readQuestion.ts'
import type { EncodedInput } from './SaveOptions.ts'

type Target = Pick<DocumentEdit, 'className' | 'objectId'>

/** Changes documents in read data; returns the same object if nothing changes. */
export type Patch = (data: unknown, asked: object) => unknown

/**
 * Shows a change before the server has responded, wherever the document is visible. Shows the last response with all
 * pending changes in their order: a failed one removes only its own part, and nothing flickers.
 */
export function showChange(
  client: Client,
  target: Target,
  changes: EncodedInput | undefined,
  known: object | undefined,
  isNew = false,
): PendingChange {
  const pending: PendingChange = { key: {}, changes }
  setEdits(client, (edits) => {
    const edit = edits.find((other) => isOf(other, target))
    if (edit) return edits.map((other) => (other === edit ? { ...edit, queue: [...edit.queue, pending] } : other))
    const origin = isNew ? known : findFreshest(client, target, known)
    const { className, objectId } = target
    const others = isNew ? listIds(client, className) : undefined
    return [...edits, { className, objectId, reader: readerOf(client), origin, queue: [pending], isNew, known: others }]
  })
  return pending
}

/** Ids of all documents of a class that lists show. */
function listIds(client: Client, className: string): ReadonlySet<string> {
  const lists = [...client.internal.readings.values()].filter(
    ({ asked }) => readQuestion(asked).query?.className === className,
  )
  return new Set(lists.flatMap(({ base }) => listOf(base()).map((item) => String(Object(item).objectId))))
}

/** Removes a change: it failed, or the read data includes it. `patch` is the server's result for the document. */
export function dropChange(
  client: Client,
  target: Target,
  pending: PendingChange | undefined,
  patch?: (document: object) => object | undefined,
): void {
  if (!client.internal.edits.get().some((edit) => isOf(edit, target))) return
  setEdits(client, (edits) => replaceEdit(edits, target, pending, patch))
}

function replaceEdit(
  edits: readonly DocumentEdit[],
  target: Target,
  pending: PendingChange | undefined,
  patch: ((document: object) => object | undefined) | undefined,
): readonly DocumentEdit[] {
  return edits.flatMap((edit) => {
    if (!isOf(edit, target)) return [edit]
    const queue = edit.queue.filter(({ key }) => key !== pending?.key)
    const origin = edit.origin && patch ? patch(edit.origin) : edit.origin
    return queue.length === 0 ? [] : [{ ...edit, origin, queue }]
  })
}

/** A document was made: it is shown by its own id from now on, also where others point to it. */
export function replaceNew(client: Client, temporary: Target, pending: PendingChange, made: Named, bake: () => void) {
  const next = client.internal.edits.get().flatMap((edit): DocumentEdit[] => {
    const queue = edit.queue
      .filter(({ key }) => key !== pending.key)
      .map((change) => ({ ...change, changes: renameIds(change.changes, temporary.objectId, made.objectId) }))
    if (queue.length === 0) return []
    // Another new one with the same values is not this one.
    const known = edit.known && new Set(edit.known).add(made.objectId)
    if (!isOf(edit, temporary)) return [{ ...edit, queue, known }]
    return [{ ...edit, objectId: made.objectId, origin: made, queue, isNew: false }]
  })
  // Update the data before notifying: a list never shows both the temporary row and the created one.
  client.internal.overlay = toOverlay(client, next)
  bake()
  client.internal.edits.set(next)
}

/** The same value with another id in the place of a temporary one. */
export function renameIds<Value>(value: Value, from: string, to: string): Value {
  const text = JSON.stringify(value)
  return text?.includes(from) ? JSON.parse(text.replaceAll(JSON.stringify(from), JSON.stringify(to))) : value
}

function setEdits(client: Client, change: (edits: readonly DocumentEdit[]) => readonly DocumentEdit[]): void {
  const { internal } = client
  const edits = change(internal.edits.get())
  internal.overlay = toOverlay(client, edits)
  internal.edits.set(edits)
}

function toOverlay(client: Client, edits: readonly DocumentEdit[]): Client['internal']['overlay'] {
  if (edits.length === 0) return undefined
  // Edits of a user who has signed out since are hidden.
  return <Data>(data: Data, asked: object) => {
    const taken = new Set<string>()
    const shownEdits = edits.filter(({ reader }) => reader === readerOf(client))
    return shownEdits.reduce((shown, edit) => applyEdit(shown, edit, asked, taken), data)
  }
}

function applyEdit<Data>(data: Data, edit: DocumentEdit, asked: object, taken: Set<string>): Data {
  const { className, objectId, origin, queue, isNew, known } = edit
  if (queue.some(({ changes }) => !changes)) return isNew ? data : mapDocument(data, edit, () => undefined)
  const fold = (document: object) =>
    queue.reduce((fields, { changes }) => changeDocument(fields, changes as EncodedInput), document as Fields)
  if (isNew) {
    const made = { ...fold(origin ?? {}), __type: 'Object', className, objectId } as Named
    // A live event may arrive before the response of the create: the document is never shown twice.
    const own = findMade(data, made, Object.keys(queue[0]?.changes ?? {}), (id) => !known?.has(id) && !taken.has(id))
    taken.add(own ?? objectId)
    if (own) return data
    return insertDocument(data, Object.freeze(made), asked)
  }
  const heads = new Set(queue.flatMap(({ changes }) => Object.keys(changes ?? {}).map(headOf)))
  return mapDocument(data, edit, (document) => takeFields(document, fold(origin ?? document), heads, asked))
}

export function headOf(path: string): string {
  return path.split('.', 1)[0] ?? path
}

/** The document with these fields of another, or without them; only those that a query selects. */
export function takeFields(document: object, from: object, heads: ReadonlySet<string>, asked: object): object {
  const { query } = readQuestion(asked)
  const [keys, left] = [query?.keys, query?.excludeKeys].map((names) => names?.split(',').map(headOf))
  const isAsked = (name: string) => (!keys || keys.includes(name)) && !left?.includes(name)
  const before = new Map<string, unknown>(Object.entries(document))
  const entries = new Map(before)
  for (const [name, value] of [...heads].map((head) => [head, Object(from)[head]] as const)) {
    const present = before.get(name)
    // Included documents stay if the pointer still leads to them.
    if (isReadAlong(present, value) || (!before.has(name) && !isAsked(name))) continue
    if (value === undefined) entries.delete(name)
    else entries.set(name, value)
  }
  return shareStructure(document, Object.freeze(Object.fromEntries(entries)))
}

function isReadAlong(present: unknown, value: unknown): boolean {
  const [one, other] = [Object(present), Object(value)]
  return one.__type === 'Object' && other.className === one.className && other.objectId === one.objectId
}

/** The document as it was read last, by whichever question. */
export function findFreshest(client: Client, target: Target, known: object | undefined): object | undefined {
  const found: object[] = Object(known).__type === 'Object' ? [known as object] : []
  for (const { base } of client.internal.readings.values()) {
    mapDocument(base(), target, (document) => {
      found.push(document)
      return document
    })
  }
  if (found.length === 0) return undefined
  return Object.assign({}, ...found.sort((one, other) => timeOf(one) - timeOf(other)))
}

export function timeOf(document: unknown): number {
  return Number(Object(document).updatedAt ?? 0)
}

/** The same data with the document changed wherever it is; taken out of lists where nothing is left of it. */
export function mapDocument<Data>(data: Data, target: Target, change: (document: object) => object | undefined): Data {
  return walk(data, target, change) as Data
}

function walk(value: unknown, target: Target, change: (document: object) => object | undefined): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => (isTarget(item, target) ? change(item) : walk(item, target, change)))
    if (items.every((item, index) => item === value[index])) return value
    return Object.freeze(items.filter((item, index) => item !== undefined || value[index] === undefined))
  }
  if (isTarget(value, target)) return change(value) ?? value
  const before = new Map(Object.entries(value))
  const entries = Array.from(before, ([name, item]) => [name, walk(item, target, change)] as const)
  return entries.every(([name, item]) => item === before.get(name)) ? value : Object.freeze(Object.fromEntries(entries))
}

function isTarget(value: unknown, target: Target): value is object {
  return Object(value).__type === 'Object' && isOf(Object(value), target)
}

function isOf(edit: Target, { className, objectId }: Target): boolean {
  return edit.className === className && edit.objectId === objectId
}

/** Applies the server's response to all readings, also to pending ones. */
export function patchReadings(readings: Iterable<SharedReading>, patch: Patch): void {
  for (const { asked, reading } of readings) reading.patch((data) => patch(data, asked))
}
