import type { Client } from '../../core/Client.ts'
import { count } from '../../core/documents/count.ts'
import { create } from '../../core/documents/create.ts'
import { destroy } from '../../core/documents/destroy.ts'
import { get } from '../../core/documents/get.ts'
import type { Query } from '../../core/documents/QueryOptions.ts'
import { save } from '../../core/documents/save.ts'
import { ValidationError } from '../../core/errors/ValidationError.ts'
import type { Attributes } from '../Loose.ts'

type Named = { readonly className: string; readonly id: string | undefined }
const loud = { throwOnError: true }

/** Saves an object; the answer is what is known of it then. */
export async function sendObject(client: Client, { className, id }: Named, fields: Attributes): Promise<object> {
  if (!id) return (await create(client, className, fields, loud)) ?? {}
  return (await save(client, pointTo(className, id), fields, loud)) ?? {}
}

export async function fetchObject(client: Client, object: Named, include: string | string[] = []): Promise<object> {
  const { className, objectId } = requirePointer(object)
  return (await get(client, className, objectId, { include: [include].flat() }, loud)) ?? {}
}

export async function existsObject(client: Client, { className, id }: Named): Promise<boolean> {
  if (!id) return false
  const query: Query<string, unknown> = { className, where: { objectId: id } }
  return (await count(client, query, loud)) === 1
}

export function destroyObject(client: Client, object: Named): Promise<void> {
  return destroy(client, requirePointer(object), loud)
}

function pointTo(className: string, objectId: string) {
  return { __type: 'Pointer', className, objectId } as const
}

function requirePointer({ className, id }: Named) {
  if (!id) throw new ValidationError('Object does not have an ID', 'It was never saved.')
  return pointTo(className, id)
}
