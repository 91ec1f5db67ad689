import {
  type Client,
  countDocuments,
  createDocument,
  deleteDocument,
  getDocument,
  type Query,
  saveDocument,
  ValidationError,
} from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { applyChange } from './applyChange.ts'
import type { MoralisObject, SaveOptions } from './MoralisObject.ts'
import { unwrapValue } from './wrapValue.ts'

type Changed = {
  readonly attributes: Attributes
  readonly _changes: Map<string, readonly Loose[]>
  _send(fields: Attributes): Promise<object>
  _read(document: object): unknown
}

/** Sends the changes; `base` is the server's former state. */
export async function saveObject<Saved extends Changed>(
  object: Saved,
  base: Attributes,
  options: SaveOptions = {},
): Promise<Saved> {
  if (options.cascadeSave !== false) await saveChildren(object.attributes)
  const sent = new Map(object._changes)
  const merged = Array.from(sent, ([name, all]) => [
    name,
    all.reduce((before, next) => mergeChange(base[name], before, next), undefined),
  ])
  const document = await object._send(unwrapValue(Object.fromEntries(merged)) as Attributes)
  // Changes made while saving stay to be sent.
  for (const [name, all] of sent) {
    const now = object._changes.get(name) ?? []
    const left = all.every((change, at) => change === now[at]) ? now.slice(all.length) : now
    if (left.length > 0) object._changes.set(name, left)
    else object._changes.delete(name)
  }
  object._read(document)
  return object
}

/** Saves unsaved objects, so that they can be pointed to. An object that contains itself is visited once. */
async function saveChildren(values: object, seen: Set<unknown> = new Set()): Promise<void> {
  for (const value of Object.values(values) as Loose[]) {
    if (typeof value !== 'object' || value === null || value instanceof Date || seen.has(value)) continue
    seen.add(value)
    if (typeof value.toPointer === 'function') {
      if (!value.id) await saveChild(value, seen)
    } else if (typeof value.saveIPFS === 'function') {
      if (!value.url()) await value.save()
    } else if (isPlain(value)) await saveChildren(value, seen)
  }
}

async function saveChild(object: Loose, seen: Set<unknown>): Promise<void> {
  await saveChildren(object.attributes, seen)
  await object.save(null, { cascadeSave: false })
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

/** Merges two changes of a field into one. */
function mergeChange(base: Loose, pending: Loose, next: Loose): Loose {
  const op = Object(next).__op
  if (pending === undefined || op === undefined || op === 'Delete') return next
  const before = Object(pending).__op
  if (before === undefined || before === 'Delete') return applyChange(applyChange(base, pending), next)
  if (before === op && op === 'Increment') return { __op: op, amount: pending.amount + next.amount }
  if (before === op) return { __op: op, objects: [...pending.objects, ...next.objects] }
  if (/Relation$/.test(op) && /Relation$/.test(before)) return { __op: 'Batch', ops: [pending, next] }
  return applyChange(applyChange(base, pending), next)
}

type Named = { readonly className: string; readonly id: string | undefined }
/** Saves an object; returns its known state. */
export async function sendObject(client: Client, { className, id }: Named, fields: Attributes): Promise<object> {
  if (!id) return (await createDocument(client, className, fields)) ?? {}
  return (await saveDocument(client, pointTo(className, id), fields)) ?? {}
}

export async function fetchObject(client: Client, object: Named, include: string | string[] = []): Promise<object> {
  const { className, objectId } = requirePointer(object)
  return (await getDocument(client, className, objectId, { include: [include].flat() })) ?? {}
}

export async function existsObject(client: Client, { className, id }: Named): Promise<boolean> {
  if (!id) return false
  const query: Query<string, unknown> = { className, where: { objectId: id } }
  return (await countDocuments(client, query)) === 1
}

export function destroyObject(client: Client, object: Named): Promise<void> {
  return deleteDocument(client, requirePointer(object))
}

function pointTo(className: string, objectId: string) {
  return { __type: 'Pointer', className, objectId } as const
}

function requirePointer({ className, id }: Named) {
  if (!id) throw new ValidationError('Object does not have an ID', 'It was never saved.')
  return pointTo(className, id)
}

export async function saveAll(list: readonly MoralisObject[], options?: SaveOptions): Promise<void> {
  for (const object of list) await object.save(null, options)
}

export async function destroyAll(list: readonly MoralisObject[]): Promise<void> {
  for (const object of list) await object.destroy()
}

export async function fetchAll(list: readonly MoralisObject[]): Promise<void> {
  await Promise.all(list.map((object) => object.fetch()))
}
