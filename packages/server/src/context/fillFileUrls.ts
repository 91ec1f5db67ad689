import type { WireFields, WireFile } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from './Context.ts'
import { fileUrl } from './fileUrl.ts'

const fileFields = new WeakMap<ClassSchema, string[]>()

/**
 * Puts the present address into the files of an object: the server may have moved since they were saved, and what a
 * client sent as the address of one of our files is not believed. Files that lie elsewhere keep theirs, if it is one.
 */
export function fillFileUrls<Fields extends WireFields>(context: Context, schema: ClassSchema, object: Fields): Fields {
  for (const field of fieldsOf(schema)) {
    const file = object[field] as WireFile | null | undefined
    if (!file || typeof file.name !== 'string') continue
    const { url, ...rest } = file
    const address = /^[0-9a-f]{32}_/.test(file.name) ? fileUrl(context, file.name) : isWebUrl(url) ? url : undefined
    Object.assign(object, { [field]: address === undefined ? rest : { ...rest, url: address } })
  }
  return object
}

function fieldsOf(schema: ClassSchema): string[] {
  const known = fileFields.get(schema)
  if (known) return known
  const found = [...schema.fields].filter(([, { type }]) => type === 'File').map(([name]) => name)
  fileFields.set(schema, found)
  return found
}

/** A script in the place of an address would run where an application makes a link of it. */
function isWebUrl(url: unknown): boolean {
  return typeof url === 'string' && /^https?:\/\//i.test(url)
}
