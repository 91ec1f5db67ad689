import type { Client, DocumentEdit } from '../client/Client.ts'
import { readerOf } from '../readings/readerOf.ts'
import type { Ref } from '../values/Document.ts'
import { invalidateDocuments } from './invalidateDocuments.ts'

/** Milliseconds that what was read before a save has to be read again. */
const grace = 10_000

/**
 * Shows a change of a document at once, wherever it is on show, while it is sent; takes it back where that fails.
 * `before` guesses what the server will make of it; `after` puts in what it answered until everything is read again.
 */
export async function whileShown<Result>(
  client: Client,
  { className, objectId }: Ref,
  send: () => Promise<Result>,
  { before, after }: { before: DocumentEdit['apply']; after: (document: object, result: Result) => object | undefined },
): Promise<Result> {
  const edit: DocumentEdit = { className, objectId, apply: before, reader: readerOf(client) }
  changeEdits(client, (edits) => [...edits, edit])
  try {
    const result = await send()
    const saved = { ...edit, apply: (document: object) => after(document, result) }
    changeEdits(client, (edits) => edits.map((other) => (other === edit ? saved : other)))
    const timer: unknown = setTimeout(
      () => changeEdits(client, (edits) => edits.filter((other) => other !== saved)),
      grace,
    )
    ;(timer as { unref?: () => void }).unref?.()
    return result
  } catch (error) {
    changeEdits(client, (edits) => edits.filter((other) => other !== edit))
    // After a lost connection nobody knows whether the server has it.
    invalidateDocuments(client, className)
    throw error
  }
}

function changeEdits(client: Client, change: (edits: readonly DocumentEdit[]) => readonly DocumentEdit[]): void {
  const { internal } = client
  const edits = change(internal.edits.get())
  // Edits of a user who has signed out since are nobody's to see.
  const overlay = <Data>(data: Data) =>
    edits.reduce((shown, edit) => (edit.reader === readerOf(client) ? (walk(shown, edit) as Data) : shown), data)
  internal.overlay = edits.length > 0 ? overlay : undefined
  internal.edits.set(edits)
}

/** The same data where the document is not in it. */
function walk(value: unknown, edit: DocumentEdit): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => (isTarget(item, edit) ? edit.apply(item) : walk(item, edit)))
    if (items.every((item, index) => item === value[index])) return value
    return Object.freeze(items.filter((item, index) => item !== undefined || value[index] === undefined))
  }
  if (isTarget(value, edit)) return edit.apply(value) ?? value
  const entries = Object.entries(value).map(([name, item]) => [name, walk(item, edit)] as const)
  const before = new Map(Object.entries(value))
  return entries.every(([name, item]) => item === before.get(name)) ? value : Object.freeze(Object.fromEntries(entries))
}

function isTarget(value: unknown, { className, objectId }: DocumentEdit): value is object {
  const found: { __type?: unknown; className?: unknown; objectId?: unknown } = Object(value)
  return found.__type === 'Object' && found.className === className && found.objectId === objectId
}
