import {
  type FindInput,
  type KnownType,
  matchDocument,
  readDocumentWhere,
  typeOfValue,
  type WireFields,
} from '@countersign/protocol'
import { type Order, type Row, readOrder } from '../live/readOrder.ts'
import { decode } from '../values/decode.ts'
import type { Rows } from './applyWrites.ts'
import type { Device } from './createDevice.ts'

export type Asked = FindInput & { readonly className: string; readonly objectId?: string }

export type Answer = {
  readonly documents: readonly unknown[]
  /** Without `limit` and `skip`. */
  readonly count: number
  readonly isPartial: boolean
}

const usualLimit = 100

/** Parts of a query that need other documents, or the server's dictionaries. */
const elsewhere =
  /"\$(inQuery|notInQuery|select|dontSelect|relatedTo|text|regex|near\w*|within|geo\w+|maxDistance\w*|relativeTime)"/

/** Returns true if documents of the class alone decide the query. */
export function isAnswerable({ where, order, keys, redirectClassNameForKey, excludeKeys }: Asked): boolean {
  if (redirectClassNameForKey || elsewhere.test(JSON.stringify(where ?? {}))) return false
  if (/[.$]/.test(`${keys ?? ''}${excludeKeys ?? ''}`)) return false
  return readOrder(namesOf(order)) !== undefined
}

/** Result of a query over the documents on the device, by the evaluator of the server. */
export function answerQuery(device: Device, asked: Asked): Answer {
  const { className, order, limit = usualLimit, skip = 0 } = asked
  const rows = device.viewOf(className)
  const isWhole = device.stateOf(className)?.isWhole ?? false
  const include = namesOf(asked.include)
  const condition = readDocumentWhere(asked.where, (field) => typesOf(rows, field))
  if (!condition) return { documents: [], count: 0, isPartial: true }
  const target = asked.objectId === undefined ? undefined : device.resolveId(asked.objectId)
  const one = target === undefined ? undefined : rows.get(target)
  const candidates = target === undefined ? [...rows.values()] : one ? [one] : []
  const found = candidates.filter((row) => matchDocument(condition, row, () => false)) as Row[]
  const sorted = sort(found, readOrder(namesOf(order)))
  const shown = sorted.rows.slice(Number(skip), Number(skip) + Number(limit))
  const plain = shown.map((row) => toDocument(className, row))
  const read = include.length === 0 ? { documents: plain, isPartial: false } : readAlong(device, plain, include)
  return {
    documents: read.documents.map((document) => project(document, asked)),
    count: found.length,
    isPartial: !isWhole || read.isPartial || !sorted.isCertain,
  }
}

function namesOf(names: unknown): readonly string[] {
  if (Array.isArray(names)) return names
  return typeof names === 'string' && names !== '' ? names.split(',') : []
}

const bases = new Map<string, KnownType>([
  ['objectId', { type: 'String' }],
  ['createdAt', { type: 'Date' }],
  ['updatedAt', { type: 'Date' }],
])

const typesByRows = new WeakMap<Rows, Map<string, KnownType | undefined>>()

/** Type of a field by its first value; a field has one type. A field that is only null has no values. */
function typesOf(rows: Rows, field: string): KnownType | undefined {
  const base = bases.get(field)
  if (base) return base
  const types = typesByRows.get(rows) ?? new Map<string, KnownType | undefined>()
  typesByRows.set(rows, types)
  if (types.has(field)) return types.get(field)
  let type: KnownType | undefined
  let isNull = false
  for (const row of rows.values()) {
    const value = row[field]
    if (value === null) isNull = true
    type = value === undefined ? undefined : typeOfValue(value)
    if (type) break
  }
  if (!type && isNull) type = { type: 'String' }
  types.set(field, type)
  return type
}

function sort(rows: readonly Row[], order: Order | undefined): { rows: readonly Row[]; isCertain: boolean } {
  let isCertain = true
  const sorted = [...rows].sort((one, other) => {
    const outcome = order?.(one, other)
    if (outcome === undefined) isCertain = false
    return outcome ?? 0
  })
  return { rows: sorted, isCertain }
}

/** A row never changes, so its document is made once. */
const documents = new WeakMap<WireFields, unknown>()

function toDocument(className: string, row: WireFields): unknown {
  const known = documents.get(row)
  if (known) return known
  const made = decode({ __type: 'Object', className, ...row })
  documents.set(row, made)
  return made
}

type Parts = { readonly [field: string]: unknown }

/** Puts documents in the place of pointers, as far as they are on the device. */
function readAlong(
  device: Device,
  given: readonly unknown[],
  include: readonly string[],
): { documents: readonly unknown[]; isPartial: boolean } {
  let isPartial = false
  const fill = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(item, path)).filter((item) => item !== undefined)
    const { __type, className, objectId } = Object(value)
    let document = value as Parts | undefined
    if (__type === 'Pointer') {
      if (!device.stateOf(className)?.isWhole) {
        isPartial = true
        return value
      }
      const row = device.viewOf(className).get(device.resolveId(objectId))
      document = row && (toDocument(className, row) as Parts)
    }
    const [field = '', ...rest] = path
    if (!document || field === '' || document[field] === undefined) return document
    const { [field]: before, ...others } = document
    const inner = fill(before, rest)
    return Object.freeze(inner === undefined ? others : { ...others, [field]: inner })
  }
  const filled = given.map((document) => {
    const paths = include.includes('*') ? Object.keys(Object(document)) : include
    return paths.reduce<unknown>((known, path) => fill(known, path.split('.')), document)
  })
  return { documents: filled, isPartial }
}

const always = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL', '__type', 'className'])

function project(document: unknown, { keys, excludeKeys, include }: Asked): unknown {
  const [asked, left] = [namesOf(keys), namesOf(excludeKeys)]
  if (asked.length === 0 && left.length === 0) return document
  const heads = new Set(namesOf(include).map((path) => path.split('.')[0]))
  const entries = Object.entries(Object(document)).filter(
    ([name]) =>
      always.has(name) || ((asked.length === 0 || asked.includes(name) || heads.has(name)) && !left.includes(name)),
  )
  return Object.freeze(Object.fromEntries(entries))
}
