import type { WireFields } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import type { Keys } from '../keys/loadKeys.ts'
import type { ClassSchema } from './ClassSchema.ts'

/** Parts of the context that the address of a file is made of. */
export type FileHost = { config: Pick<Config, 'mount'>; publicUrl: string; keys: Pick<Keys, 'appId'> }

/** Public URL of a stored file. */
export function fileUrl({ config, publicUrl, keys }: FileHost, name: string): string {
  return `${publicUrl}${config.mount}/files/${encodeURIComponent(keys.appId)}/${encodeURIComponent(name)}`
}

/** A schema is never changed, so what follows from it is worked out once. */
const fileFieldsBySchema = new WeakMap<ClassSchema, string[]>()

/**
 * Puts the present address into the files of an object, those in its lists and objects too: the server may have moved
 * since they were saved, and what a client sent as the address of one of our files is not believed. Files that lie
 * elsewhere keep theirs, if it is one.
 */
export function fillFileUrls<Fields extends WireFields>(host: FileHost, schema: ClassSchema, object: Fields): Fields {
  for (const field of fieldsOf(schema)) fillFileUrlsIn(host, object[field])
  return object
}

/** The same for any value, in its place. On the way out and not in: a file can be put together by dotted names. */
export function fillFileUrlsIn(host: FileHost, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') fillFileUrlsIn(host, item)
    return
  }
  const tree = value as { [key: string]: unknown }
  if (tree.__type === 'File') fillUrl(host, tree)
  for (const key of Object.keys(tree)) if (typeof tree[key] === 'object') fillFileUrlsIn(host, tree[key])
}

/** A copy with those addresses, of a value that is still used as it is: sent by a client, or returned by a hook. */
export function withFileUrls<Value>(host: FileHost, value: Value): Value {
  const copy = structuredClone(value)
  fillFileUrlsIn(host, copy)
  return copy
}

function fillUrl(host: FileHost, file: { [key: string]: unknown }): void {
  const { name } = file
  const isText = typeof name === 'string'
  if (isText && (/^[0-9a-f]{32}_/.test(name) || !isWebUrl(file.url))) file.url = fileUrl(host, name)
  else if (!isWebUrl(file.url)) delete file.url
}

/** The fields that hold files, or may hold them somewhere inside. */
function fieldsOf(schema: ClassSchema): string[] {
  const known = fileFieldsBySchema.get(schema)
  if (known) return known
  const found = [...schema.fields].filter(([, { type }]) => type === 'File' || type === 'Array' || type === 'Object')
  const names = found.map(([name]) => name)
  fileFieldsBySchema.set(schema, names)
  return names
}

/** A script in the place of an address would run where an application makes a link of it. */
function isWebUrl(url: unknown): boolean {
  return typeof url === 'string' && /^https?:\/\//i.test(url)
}
