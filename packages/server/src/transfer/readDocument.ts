import type { WireValue } from '@countersign/protocol'
import type { StoredAcl } from '../classes/acl.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { defaultFieldNames, isCustomId } from '../classes/names.ts'
import { readBsonValue } from './readBson.ts'
import type { SourceDocument } from './Source.ts'

/** An object of a source, in the values of the wire. */
export type ImportedObject = {
  objectId: string
  createdAt: string
  updatedAt: string
  acl: StoredAcl
  fields: [name: string, value: WireValue][]
  /** Data of system classes besides their fields: hashes, tokens, proofs. */
  own: Map<string, unknown>
}

/** Adds a note about a document to the report. */
export type Note = (sentence: string, example?: string) => void

type Tree = { [key: string]: unknown }

const mostEntries = 10_000
const longestEntry = 300
const deepest = 100

/** Names that clients may not send either: they reach the prototype of an object, or mark values of MongoDB. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])

/** Fields that are no column here, by class. */
const ownFields = new Map([
  [
    '_User',
    new Set([
      'password',
      'bcryptPassword',
      'hashedPassword',
      'authData',
      'sessionToken',
      'accounts',
      'ethAddress',
      'solAccounts',
      'solAddress',
      'username',
      'email',
      'emailVerified',
    ]),
  ],
  ['_Session', new Set(['sessionToken', 'restricted'])],
])

/** Reads one document. Returns a sentence if it cannot be used. */
export function readDocument(
  className: string,
  schema: ClassSchema | undefined,
  { form, fields: document }: SourceDocument,
  note: Note,
): ImportedObject | string {
  if (document === undefined) return 'An object could not be read.'
  const objectId = readId(className, document.objectId ?? document._id)
  if (objectId === undefined) return 'An object has no valid ID.'
  const own: ImportedObject['own'] = new Map()
  const fields: ImportedObject['fields'] = []
  const apart = ownFields.get(className)
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined || defaultFieldNames.has(key) || key === 'id' || key === 'className' || key === '__type')
      continue
    if (apart?.has(key)) own.set(key, value)
    else if (form === 'mongo' && key.startsWith('_p_')) {
      const pointer = readStoredPointer(value)
      if (pointer) fields.push([key.slice(3), pointer])
      else if (value !== null) note(`${className}.${key.slice(3)} is not a valid pointer in some objects.`, objectId)
    } else if (key.startsWith('_')) own.set(key, value)
    else {
      const type = form === 'mongo' ? schema?.fields.get(key)?.type : undefined
      const read = form === 'rest' && isWire(value, 0) ? value : readValue(value, type, 0)
      if (read === undefined) note(`${className}.${key} has values of an unknown type.`, objectId)
      else fields.push([key, read])
    }
  }
  const now = new Date().toISOString()
  const bound = (time: string | undefined) => {
    if (time === undefined || time <= now) return time
    note('Some objects have a time in the future; it was set to the time of the import.', objectId)
    return now
  }
  const createdAt = bound(readTime(document.createdAt ?? document._created_at))
  const updatedAt = bound(readTime(document.updatedAt ?? document._updated_at))
  if (createdAt === undefined) note('Some objects have no creation time; another time was used.', objectId)
  return {
    objectId,
    createdAt: createdAt ?? updatedAt ?? now,
    updatedAt: updatedAt ?? createdAt ?? now,
    acl: readLists(document, note, objectId),
    fields,
    own,
  }
}

/** An id that access lists could take for a role or for everyone would give its owner their rights. */
function readId(className: string, value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : readBsonValue(value)
  return typeof id === 'string' && isCustomId(className, id) ? id : undefined
}

function readTime(value: unknown): string | undefined {
  // The usual format; the database finds invalid ones.
  if (typeof value === 'string' && /^[12]\d{3}-[01]\d-[0-3]\dT[012]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/.test(value))
    return value
  const said = value instanceof Date ? value : isTree(value) ? (value.iso ?? value.$date) : value
  if (said === undefined || said === null) return undefined
  const time = new Date(said as string)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined
}

/** Nothing becomes public by being unreadable: a list that is not understood names nobody. */
function readLists(document: Tree, note: Note, objectId: string): StoredAcl {
  const { ACL, _rperm, _wperm, _acl } = document
  if (isTree(ACL)) return fromEntries(ACL, 'read', 'write')
  if (_rperm !== undefined || _wperm !== undefined) return { _rperm: listOf(_rperm), _wperm: listOf(_wperm) }
  if (isTree(_acl)) return fromEntries(_acl, 'r', 'w')
  if (ACL === undefined || ACL === null) return { _rperm: null, _wperm: null }
  return unreadable()

  function fromEntries(acl: Tree, read: string, write: string): StoredAcl {
    const entities = Object.keys(acl)
    if (entities.length > mostEntries) return unreadable()
    const lists: { _rperm: string[]; _wperm: string[] } = { _rperm: [], _wperm: [] }
    for (const entity of entities) {
      const rights = acl[entity]
      if (entity.length > longestEntry || !isTree(rights)) continue
      if (rights[read] === true) lists._rperm.push(entity)
      if (rights[write] === true) lists._wperm.push(entity)
    }
    return lists
  }
  function listOf(value: unknown): string[] {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value) || value.length > mostEntries) return unreadable()._rperm
    return value.filter((entity): entity is string => typeof entity === 'string' && entity.length <= longestEntry)
  }
  function unreadable(): { _rperm: string[]; _wperm: string[] } {
    note('Some access lists could not be read; only the master key can access their objects.', objectId)
    return { _rperm: [], _wperm: [] }
  }
}

/** `Class$objectId`, as parse-server keeps a pointer. */
function readStoredPointer(value: unknown): WireValue | undefined {
  if (typeof value !== 'string') return undefined
  const mark = value.indexOf('$')
  if (mark <= 0 || mark === value.length - 1) return undefined
  return { __type: 'Pointer', className: value.slice(0, mark), objectId: value.slice(mark + 1) }
}

/** A value on the wire; `type` is that of the field where MongoDB keeps it in a form of its own. */
function readValue(value: unknown, type: string | undefined, depth: number): WireValue | undefined {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return type === 'File' ? { __type: 'File', name: value } : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (depth > deepest) return undefined
  if (type === 'GeoPoint' && Array.isArray(value) && value.length === 2) {
    return { __type: 'GeoPoint', longitude: Number(value[0]), latitude: Number(value[1]) }
  }
  if (Array.isArray(value)) return value.map((item) => readValue(item, undefined, depth + 1) ?? null)
  if (!isTree(value)) return readBsonValue(value)
  const plain = readBsonValue(value)
  if (plain !== undefined) return plain
  if (type === 'Polygon' && Array.isArray(value.coordinates)) {
    const [ring] = value.coordinates as unknown[]
    if (!Array.isArray(ring)) return undefined
    const points = ring.filter(Array.isArray).map(([longitude, latitude]) => [Number(latitude), Number(longitude)])
    return { __type: 'Polygon', coordinates: points }
  }
  return readTree(value, depth)
}

/** Returns true if a JSON value can be used as it is, which is the usual case: checked without a copy. */
function isWire(value: unknown, depth: number): value is WireValue {
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((item) => isWire(item, depth + 1))
  const tree = value as Tree
  for (const key of Object.keys(tree)) {
    if (forbidden.has(key) || key === '$date' || !isWire(tree[key], depth + 1)) return false
  }
  return true
}

function readTree(value: Tree, depth: number): WireValue {
  const entries = Object.entries(value)
  // As mongoexport writes it.
  if (entries.length === 1 && entries[0]?.[0] === '$date') {
    const iso = readTime(value)
    if (iso !== undefined) return { __type: 'Date', iso }
  }
  return Object.fromEntries(
    entries
      .filter(([key]) => !forbidden.has(key))
      .map(([key, inner]) => [key, readValue(inner, undefined, depth + 1) ?? null]),
  )
}

function isTree(value: unknown): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
