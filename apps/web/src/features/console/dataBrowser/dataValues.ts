import type { SchemaRecord, WireFields, WireValue, WireWhere } from '@countersign/protocol'
import { formatList } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { writeCsvCell } from '../../../ui/csvCell.ts'
import { shortName } from '../FilePreview.tsx'
import { formatMinute } from '../formats.ts'

export type Fields = SchemaRecord['fields']
/** Fields that the server alone sets. */
export const managed = new Set(['objectId', 'createdAt', 'updatedAt', 'sessionToken', 'authData'])

/** A field by a name that anyone may have written: `__proto__` and `constructor` are none. */
export const fieldOf = (fields: Fields, name: string): Fields[string] | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** The id first, then the class's own fields, then what every class has. */
export function orderColumns(fields: Fields): string[] {
  const common = ['createdAt', 'updatedAt', 'ACL']
  const own = Object.keys(fields).filter((name) => name !== 'objectId' && !common.includes(name))
  return ['objectId', ...own, ...common].filter((name) => name in fields)
}

/** A value as people read it: dates in their language, and who may read and write. */
export function showCell(type: string | undefined, value: WireValue): string {
  if (type === 'Date') {
    const date = new Date(typeof value === 'string' ? value : showValue(value))
    return Number.isNaN(date.getTime()) ? showValue(value) : formatMinute(date)
  }
  if (type === 'GeoPoint' && typeof value === 'object' && value !== null)
    return ['latitude', 'longitude'].map((name) => showDegrees(Reflect.get(value, name))).join(', ')
  if (type === 'File') return shortName(showValue(value))
  if (type !== 'ACL' || typeof value !== 'object' || value === null) return showValue(value)
  const entries = Object.entries(value).map(([subject, rights]) => {
    const name = subject === '*' ? t('Everyone') : subject
    const read = Reflect.get(Object(rights), 'read') === true ? [t('Read')] : []
    const write = Reflect.get(Object(rights), 'write') === true ? [t('Write')] : []
    return `${name}: ${formatList([...read, ...write])}`
  })
  return entries.length === 0 ? t('Master key only') : entries.join(' · ')
}

/** Six decimals are a tenth of a meter; the rest comes from adding floating-point numbers. */
const showDegrees = (value: unknown) => (typeof value === 'number' ? String(Number(value.toFixed(6))) : '')

/** The whole of a value in one line. */
export function showValue(value: WireValue | undefined): string {
  if (value === undefined) return ''
  if (value === null) return 'null'
  if (typeof value !== 'object') return String(value)
  const read = (name: string) => String(Reflect.get(value, name) ?? '')
  switch (Reflect.get(value, '__type')) {
    case 'Date':
      return read('iso')
    case 'Pointer':
    case 'Object':
      return `${read('className')}:${read('objectId')}`
    case 'GeoPoint':
      return `${read('latitude')}, ${read('longitude')}`
    case 'File':
      return read('name')
    case 'Relation':
      return `→ ${read('className')}`
    default:
      return JSON.stringify(value).slice(0, 300)
  }
}

/** Initial text of an editor. Dates are shown and typed in the time of the place where the operator is. */
export function inputText(type: string, value: WireValue | undefined): string {
  return type === 'Date' ? toLocalInput(showValue(value)) : textOf(type, value)
}

export function textOf(type: string, value: WireValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (type === 'Pointer') return String(Reflect.get(Object(value), 'objectId') ?? '')
  if (isJson(type)) return JSON.stringify(value, undefined, 2)
  return showValue(value)
}

export const isJson = (type: string) => ['Object', 'Array', 'ACL', 'Polygon', 'Bytes', 'File'].includes(type)

/** The value that a text stands for; `undefined` where it stands for none of its type. Empty deletes the field. */
export function readValue(type: string, text: string, targetClass?: string): WireValue | undefined {
  const trimmed = text.trim()
  if (type === 'String') return text
  if (trimmed === '') return { __op: 'Delete' }
  switch (type) {
    case 'Number': {
      const number = Number(trimmed)
      return Number.isFinite(number) ? number : undefined
    }
    case 'Boolean':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined
    case 'Date': {
      const date = new Date(trimmed)
      return Number.isNaN(date.getTime()) ? undefined : { __type: 'Date', iso: date.toISOString() }
    }
    case 'Pointer':
      return { __type: 'Pointer', className: targetClass ?? '', objectId: trimmed }
    case 'GeoPoint': {
      const [latitude, longitude, ...rest] = trimmed.split(',').map(Number)
      const isPlace = latitude !== undefined && longitude !== undefined && rest.length === 0
      if (!isPlace || !(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return undefined
      return { __type: 'GeoPoint', latitude, longitude }
    }
    default:
      return readJson(type, trimmed)
  }
}

function readJson(type: string, text: string): WireValue | undefined {
  try {
    const value = JSON.parse(text) as WireValue
    const isObject = typeof value === 'object' && value !== null
    return isObject && Array.isArray(value) === (type === 'Array') ? value : undefined
  } catch {
    return undefined
  }
}

/** A time for an input of the browser, which takes it in the time of the place where the operator is. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso)
  if (iso === '' || Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}

/** The time in such an input; empty until it is complete. */
export function fromLocalInput(text: string): string {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** A query for the public client. */
export function toCode(className: string, where: WireWhere, order: string): string {
  const lines = [
    `const query = Parse.Query.fromJSON(${JSON.stringify(className)}, {`,
    `  where: ${JSON.stringify(where)},`,
  ]
  if (order) lines.push(`  order: ${JSON.stringify(order)},`)
  return [...lines, '})', 'const results = await query.find()'].join('\n')
}

/**
 * Plans the request for a page of rows. The server scans skipped rows: beyond the middle it scans from the end, in
 * reverse order. Ids break ties, so that both directions meet.
 */
export function planPage(
  order: string,
  skip: number,
  limit: number,
  total: number | undefined,
): { order: string; skip: number; limit: number; isTurned: boolean } {
  const names = order.split(',').filter(Boolean)
  const full = names.some((name) => /^-?objectId$/.test(name)) ? names : [...names, 'objectId']
  if (total === undefined || skip <= total / 2 || skip >= total)
    return { order: full.join(','), skip, limit, isTurned: false }
  const turned = full.map((name) => (name.startsWith('-') ? name.slice(1) : `-${name}`))
  const end = Math.min(skip + limit, total)
  return { order: turned.join(','), skip: total - end, limit: end - skip, isTurned: true }
}

/** As many rows as a browser can draw below each other. */
export const mostDrawn = 700_000

/** The part of a long list that is drawn where a row is to be in sight, and the place of the row in it. Both begin at 0. */
export function findPart(row: number, total: number): { start: number; count: number; index: number } {
  const wanted = Math.min(Math.max(Math.trunc(row) || 0, 0), Math.max(total - 1, 0))
  const start = wanted - (wanted % mostDrawn)
  return { start, count: Math.min(total - start, mostDrawn), index: wanted - start }
}

/** Rows as CSV, with a line of names. */
export function toCsv(columns: readonly string[], rows: readonly WireFields[]): string {
  return [columns.map(writeCsvCell).join(','), toCsvLines(columns, rows)].join('\r\n')
}

/** The same without the line of names. */
export function toCsvLines(columns: readonly string[], rows: readonly WireFields[]): string {
  const full = (value: WireValue | undefined) =>
    typeof value === 'object' && value !== null && !Reflect.has(value, '__type')
      ? JSON.stringify(value)
      : showValue(value)
  return rows.map((row) => columns.map((name) => writeCsvCell(full(row[name]))).join(',')).join('\r\n')
}

/** The names with `name` added, or without it if it was there. */
export function toggleName(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}
