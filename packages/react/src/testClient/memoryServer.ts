import { CountersignError, type LiveQueryText, type WireFields, type WireValue } from '@countersign/protocol'
import type { LiveHandlers, LiveSocket } from '../core/state/LiveWire.ts'
import { isEqual } from '../core/values/isEqual.ts'

type Row = WireFields & { objectId: string; createdAt: string; updatedAt: string }

export type MemoryServer = {
  /** Handles a request to `/classes`, `/users` or `/batch`; `undefined` for any other path. */
  readonly answer: (method: string, path: string, body: WireFields) => object | undefined
  readonly live: LiveSocket
  readonly list: (className: string) => readonly Row[]
  readonly save: (className: string, fields: WireFields) => Row
  readonly remove: (className: string, objectId: string) => void
}

/** Ids in a relation, by the object and the field that hold it. */
type Relations = Map<string, Set<string>>

type FindRow = (className: string, objectId: string) => Row | undefined

type Rows = Pick<MemoryServer, 'save' | 'remove'> & {
  /** Throws if there is none. */
  readonly get: (className: string, objectId: string) => Row
  readonly find: (className: string, body: WireFields) => object
  /** The fields that a request asks for, with the objects that it includes. */
  readonly read: (row: Row, body: WireFields) => WireFields
}

/** Keeps documents in memory and responds like a server, without checking permissions. */
export function createMemoryServer(initial: { readonly [className: string]: readonly WireFields[] }): MemoryServer {
  const classes = new Map<string, Map<string, Row>>()
  const watchers = new Set<{ query: LiveQueryText; handlers: LiveHandlers }>()
  const relations: Relations = new Map()
  let count = 0

  function rowsOf(className: string): Map<string, Row> {
    const rows = classes.get(className) ?? new Map<string, Row>()
    classes.set(className, rows)
    return rows
  }

  function get(className: string, objectId: string): Row {
    const row = rowsOf(className).get(objectId)
    if (!row) throw new CountersignError('ObjectNotFound', 'Object not found.')
    return row
  }

  function save(className: string, fields: WireFields): Row {
    const now = new Date(Date.now()).toISOString()
    const { objectId = `${className.replace(/^_/, '')}${++count}` } = fields
    const before = rowsOf(className).get(String(objectId))
    const changed = Object.entries(fields).reduce<WireFields>((row, [path, value]) => {
      const relation = relate(`${className}/${objectId}/${path}`, value)
      if (relation) return setPath(row, [path], relation)
      return setPath(row, path.split('.'), resolve(getPath(row, path), value))
    }, before ?? {})
    const row = { createdAt: now, ...changed, updatedAt: before ? now : (changed.updatedAt ?? now), objectId } as Row
    rowsOf(className).set(row.objectId, row)
    notify(className, before, row)
    return row
  }

  /** Puts objects into a relation or takes them out; none where it is another change. */
  function relate(key: string, value: unknown): WireFields | undefined {
    const { __op, objects = [] }: { __op?: string; objects?: WireFields[] } = Object(value)
    if (__op !== 'AddRelation' && __op !== 'RemoveRelation') return undefined
    const ids = relations.get(key) ?? new Set<string>()
    relations.set(key, ids)
    for (const { objectId } of objects) {
      if (__op === 'AddRelation') ids.add(String(objectId))
      else ids.delete(String(objectId))
    }
    return { __type: 'Relation', className: objects[0]?.className ?? '' }
  }

  function remove(className: string, objectId: string): void {
    const row = get(className, objectId)
    rowsOf(className).delete(objectId)
    notify(className, row, undefined)
  }

  function notify(className: string, before: Row | undefined, after: Row | undefined): void {
    for (const { query, handlers } of [...watchers]) {
      if (query.className !== className) continue
      const was = before !== undefined && matches(relations, before, query.where)
      const is = after !== undefined && matches(relations, after, query.where)
      const object = { ...(after ?? before), className }
      const original = { ...before, className }
      if (is && !before) handlers.onEvent({ op: 'create', object })
      else if (was && !after) handlers.onEvent({ op: 'delete', object })
      else if (was && is) handlers.onEvent({ op: 'update', object, original })
      else if (is) handlers.onEvent({ op: 'enter', object, original })
      else if (was) handlers.onEvent({ op: 'leave', object, original })
    }
  }

  function find(className: string, body: WireFields): object {
    const limit = Number(body.limit ?? 100)
    const found = [...rowsOf(className).values()].filter((row) => matches(relations, row, body.where ?? {}))
    const names = String(body.order ?? 'createdAt').split(',')
    const sorted = found.sort((a, b) => names.reduce((order, name) => order || compareBy(name, a, b), 0))
    const start = typeof body.cursor === 'string' ? Number(body.cursor) : Number(body.skip ?? 0)
    const results = sorted.slice(start, start + limit).map((row) => read(row, body))
    const isMore = body.cursor !== undefined && start + limit < sorted.length
    return { results, ...(body.count && { count: found.length }), ...(isMore && { cursor: String(start + limit) }) }
  }

  const read = (row: Row, body: WireFields) => select((className, id) => rowsOf(className).get(id), row, body)
  const rows: Rows = { get, find, read, save, remove }

  for (const [className, list] of Object.entries(initial)) for (const row of list) save(className, row)

  return {
    answer: (method, path, body) => answerRequest(rows, method, path, body),
    list: (className) => [...rowsOf(className).values()],
    save,
    remove,
    live: {
      subscribe(query, handlers) {
        const entry = { query, handlers }
        watchers.add(entry)
        queueMicrotask(() => watchers.has(entry) && handlers.onOpen(false))
        return () => watchers.delete(entry)
      },
      list: () => [...watchers].map(({ query }, index) => ({ requestId: index + 1, query, phase: 'open' as const })),
      lookAgain() {},
      wake() {},
      sleep() {},
      leave() {},
    },
  }
}

function answerRequest(rows: Rows, method: string, path: string, body: WireFields): object | undefined {
  const { get, find, read, save, remove } = rows
  if (path === '/batch') return (body.requests as WireFields[]).map((part) => answerPart(rows, part))
  const users = path.match(/^\/users(?:\/([^/]+))?$/)
  const [, className = users && '_User', objectId = users?.[1]] = path.match(/^\/classes\/([^/]+)(?:\/([^/]+))?$/) ?? []
  if (!className) return undefined
  if (method === 'GET') return objectId ? read(get(className, objectId), body) : find(className, body)
  if (method === 'POST') return read(save(className, body), { keys: 'objectId' })
  if (!objectId) return undefined
  if (method === 'DELETE') remove(className, objectId)
  else {
    const before = get(className, objectId)
    const after = save(className, { ...body, objectId })
    // Like a server, it returns the results of operations, but not the sent values.
    const made = Object.entries(body).filter(([, value]) => Object(value).__op !== undefined)
    const heads = new Set(made.map(([name]) => name.split('.')[0] ?? name))
    const changed = [...heads].filter((name) => after[name] !== undefined && after[name] !== before[name])
    return { updatedAt: after.updatedAt, ...Object.fromEntries(changed.map((name) => [name, after[name]])) }
  }
  return {}
}

function answerPart(rows: Rows, { method, path, body }: WireFields): object {
  try {
    const inner = decodeURIComponent(String(path).replace(/^\/server/, ''))
    return { success: answerRequest(rows, String(method), inner, (body ?? {}) as WireFields) ?? {} }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return { error: { code: error.code, error: error.message } }
  }
}

function matches(relations: Relations, row: WireFields, where: unknown): boolean {
  return Object.entries(Object(where)).every(([field, condition]) => {
    if (field === '$relatedTo') {
      const { object, key } = condition as { object: WireFields; key: string }
      return relations.get(`${object.className}/${object.objectId}/${key}`)?.has(String(row.objectId)) ?? false
    }
    if (field === '$or') return (condition as unknown[]).some((part) => matches(relations, row, part))
    if (field === '$and') return (condition as unknown[]).every((part) => matches(relations, row, part))
    if (field === '$nor') return !(condition as unknown[]).some((part) => matches(relations, row, part))
    return meets(getPath(row, field), condition as WireValue)
  })
}

function select(findRow: FindRow, row: Row, { keys, excludeKeys, include }: WireFields): WireFields {
  const own = ['objectId', 'createdAt', 'updatedAt', 'ACL']
  const heads = (names: WireValue | undefined) =>
    String(names)
      .split(',')
      .map((name) => name.split('.')[0])
  const entries = Object.entries(row)
    .filter(([name]) => name !== 'password')
    .filter(([name]) => keys === undefined || own.includes(name) || heads(keys).includes(name))
    .filter(([name]) => excludeKeys === undefined || !heads(excludeKeys).includes(name))
  const shown = Object.fromEntries(entries)
  if (include === undefined) return shown
  return String(include)
    .split(',')
    .reduce((fields, path) => expand(findRow, fields, path), shown)
}

function expand(findRow: FindRow, fields: WireFields, path: string): WireFields {
  const [head = '', ...rest] = path.split('.')
  const names = head === '*' ? Object.keys(fields) : [head]
  const read = (value: WireValue | undefined): WireValue => {
    if (Array.isArray(value)) return value.map(read)
    const { __type, className, objectId } = Object(value) as WireFields
    if (__type !== 'Pointer' && __type !== 'Object') return value ?? null
    const row = findRow(String(className), String(objectId))
    if (!row) return value ?? null
    const inner: WireFields =
      __type === 'Object'
        ? (value as WireFields)
        : { ...select(findRow, row, {}), __type: 'Object', className: String(className) }
    return (rest.length > 0 ? expand(findRow, inner, rest.join('.')) : inner) as WireValue
  }
  const entries = names.filter((name) => fields[name] !== undefined).map((name) => [name, read(fields[name])])
  return { ...fields, ...Object.fromEntries(entries) }
}

function getPath(row: WireFields, path: string): WireValue | undefined {
  return path.split('.').reduce<WireValue | undefined>((inner, name) => Object(inner)[name], row)
}

function setPath(row: WireFields, [name = '', ...rest]: string[], value: WireValue | undefined): WireFields {
  const inner = rest.length > 0 ? setPath(Object(row[name] ?? {}), rest, value) : value
  const { [name]: _, ...others } = row
  return inner === undefined ? others : { ...others, [name]: inner }
}

/** The value after an update operation. */
function resolve(before: WireValue | undefined, value: WireFields[string]): WireValue | undefined {
  const { __op, amount, objects } = Object(value) as { __op?: string; amount?: number; objects?: WireValue[] }
  const items = Array.isArray(before) ? before : []
  const given = objects ?? []
  const isIn = (list: readonly WireValue[], item: WireValue) => list.some((other) => isEqual(other, item))
  if (__op === undefined) return value
  if (__op === 'Delete') return undefined
  if (__op === 'Increment') return Number(before ?? 0) + Number(amount)
  if (__op === 'Add') return [...items, ...given]
  if (__op === 'AddUnique') return [...items, ...given.filter((item) => !isIn(items, item))]
  if (__op === 'Remove') return items.filter((item) => !isIn(given, item))
  throw new CountersignError('OtherCause', `createTestClient does not know the operation ${__op}; use \`respond\`.`)
}

function meets(value: WireValue | undefined, condition: WireValue): boolean {
  const isOperators =
    typeof condition === 'object' && condition !== null && Object.keys(condition).some((name) => name.startsWith('$'))
  if (!isOperators) return holds(value, condition)
  const { $options, ...operators } = condition as WireFields
  return Object.entries(operators).every(([operator, wanted]) => {
    const list = Array.isArray(wanted) ? wanted : []
    if (operator === '$eq') return holds(value, wanted)
    if (operator === '$ne') return !holds(value, wanted)
    if (operator === '$in') return list.some((item) => holds(value, item))
    if (operator === '$nin') return !list.some((item) => holds(value, item))
    if (operator === '$all') return list.every((item) => holds(value, item))
    if (operator === '$exists') return (value !== undefined) === wanted
    if (operator === '$regex') return typeof value === 'string' && toRegExp(String(wanted), $options).test(value)
    if (value === undefined || value === null) return false
    if (operator === '$lt') return compare(value, wanted) < 0
    if (operator === '$lte') return compare(value, wanted) <= 0
    if (operator === '$gt') return compare(value, wanted) > 0
    if (operator === '$gte') return compare(value, wanted) >= 0
    throw new CountersignError('InvalidQuery', `createTestClient does not know ${operator}; use \`respond\`.`)
  })
}

/** The helpers for exact texts write `\Q…\E`, which only the server reads. */
function toRegExp(text: string, options: WireValue | undefined): RegExp {
  const plain = text.replace(/\\Q([\s\S]*?)\\E/g, (_, exact: string) => exact.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(plain, String(options ?? '').replace(/[^ims]/g, ''))
}

/** A list holds a value if one of its items does; a time may be compared with a date. */
function holds(value: WireValue | undefined, wanted: WireValue): boolean {
  if (wanted === null) return value === undefined || value === null
  return isEqual(plain(value), plain(wanted)) || (Array.isArray(value) && value.some((item) => isEqual(item, wanted)))
}

function plain(value: WireValue | undefined): WireValue | undefined {
  const { __type, iso, className, objectId } = Object(value) as WireFields
  if (__type === 'Date') return iso
  return __type === 'Pointer' || __type === 'Object' ? [className ?? '', objectId ?? ''] : value
}

function compare(a: WireValue | undefined, b: WireValue | undefined): number {
  const [one, other] = [plain(a) ?? '', plain(b) ?? '']
  return one < other ? -1 : one > other ? 1 : 0
}

function compareBy(name: string, a: Row, b: Row): number {
  const field = name.replace(/^-/, '')
  const order = compare(getPath(a, field), getPath(b, field))
  return name.startsWith('-') ? -order : order
}
