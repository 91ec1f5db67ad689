import { createHash, randomFillSync } from 'node:crypto'
import { CountersignError, longest } from '@countersign/protocol'

const classPattern = /^[A-Za-z][A-Za-z0-9_]*$/

/** Names that reach the prototype of an object: what is kept by name in a plain object would be shadowed. */
const prototypeNames = new Set(['constructor', 'prototype'])

/** Classes of the server. Every other name with a leading underscore is refused. */
const systemNames = new Set([
  '_User',
  '_Session',
  '_Role',
  '_Installation',
  '_Product',
  '_PushStatus',
  '_JobStatus',
  '_JobSchedule',
  '_Audience',
])

/** Tables that the server needs and never drops. */
const keptNames = new Set(['_User', '_Session', '_Role'])

export function isClassName(name: string): boolean {
  if (systemNames.has(name)) return true
  return classPattern.test(name) && name.length <= identifierBytes && !prototypeNames.has(name)
}

export function isSystemClass(name: string): boolean {
  return systemNames.has(name)
}

export function isKeptClass(name: string): boolean {
  return keptNames.has(name)
}

/** Of a class that a write names. */
export function checkClassName(name: string): void {
  if (!isClassName(name)) throw new CountersignError('InvalidJson', 'schema class name does not revalidate')
}

const fieldPattern = /^[A-Za-z][A-Za-z0-9_]*$/

const reserved = new Set(['length', 'className', 'constructor', 'prototype'])

/** Columns that every table has of itself. */
const systemColumns = new Set(['tableoid', 'xmin', 'xmax', 'cmin', 'cmax', 'ctid'])

/** Fields of every document besides its own. */
export const defaultFieldNames: ReadonlySet<string> = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL'])

export function isFieldName(name: string): boolean {
  return fieldPattern.test(name) && name.length <= identifierBytes && !reserved.has(name) && !systemColumns.has(name)
}

export function checkFieldName(name: string): void {
  if (!isFieldName(name)) throw new CountersignError('InvalidKeyName', `Invalid field name: ${name.slice(0, 100)}.`)
}

/** The table in which a relation lies. The colons keep it apart from every class. */
export function joinTableName(className: string, field: string): string {
  return shortenName(`_Join:${field}:${className}`)
}

/** PostgreSQL cuts longer identifiers, so two long names could become one. */
const identifierBytes = 63

/** A name that fits: a longer one keeps its beginning for people, and a digest of the whole. ASCII only. */
export function shortenName(name: string): string {
  if (name.length <= identifierBytes) return name
  return `${name.slice(0, 38)}:${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Ten letters and digits from a cryptographic source. */
export function newObjectId(): string {
  let id = ''
  while (id.length < 10) {
    const byte = nextByte()
    // Bytes from 248 up would make the first letters likelier than the others.
    if (byte < 248) id += letters[byte % 62]
  }
  return id
}

const random = new Uint8Array(4_096)
let used = random.length

/** Random bytes are drawn in bulk: to ask for a few costs more than the rest of an id. */
function nextByte(): number {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  return random[used++] as number
}

/** Ids of one's own choice must not pass for a role or for everyone in an access list, nor break a path. */
const customId = /^(?!role:|service:)[\w.~@:|+=-]+$/

/** Words for somebody in paths, access lists and permissions: an account of that id would be taken for them. */
const reservedUserIds = new Set([
  'me',
  'currentUser',
  'authenticated',
  'public',
  'requiresAuthentication',
  'pointerFields',
  'readUserFields',
  'writeUserFields',
  'protectedFields',
])

/** Returns true if a client may choose this id. */
export function isCustomId(className: string, id: string): boolean {
  if (id.length > longest.objectId || !customId.test(id) || Object.hasOwn(Object.prototype, id)) return false
  return className !== '_User' || (!reservedUserIds.has(id) && !id.startsWith('userField:'))
}

/** Id of a new object: the client's if allowed, else a new one. */
export function readNewId(isAllowed: boolean, objectId: unknown, className = ''): string {
  if (objectId === undefined) return newObjectId()
  if (!isAllowed && (objectId === null || objectId === '')) return newObjectId()
  if (!isAllowed) throw new CountersignError('InvalidKeyName', 'objectId is an invalid field name.')
  if (objectId === null || objectId === '') {
    throw new CountersignError('MissingObjectId', 'objectId must not be empty, null or undefined')
  }
  if (typeof objectId !== 'string' || !isCustomId(className, objectId)) {
    throw new CountersignError(
      'InvalidKeyName',
      `An objectId can have at most ${longest.objectId} characters: letters, digits and _.~@:|+=-. It must not start with "role:" or "service:", and must not be a reserved word.`,
    )
  }
  return objectId
}
