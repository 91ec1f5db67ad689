import type { WireValue } from '@countersign/protocol'
import { decodeAcl, type StoredAcl } from '../../classes/acl.ts'
import type { ClassSchema, FieldType } from '../../classes/ClassSchema.ts'
import { type FileHost, fillFileUrlsIn } from '../../classes/fileUrls.ts'
import { decodeValue, toIso } from '../decodeObject.ts'

/** A field as the database writes it, and the text that its value becomes. */
type Column = {
  /** `"name":` */
  key: string
  /** Absent where the stored value is the wire's. */
  write: ((host: FileHost, stored: string) => string) | undefined
}

type Plan = {
  columns: Column[]
  /** Relations of the class, the same in every object. */
  relations: string
}

/** A schema is never changed, so what follows from it is worked out once. */
const planBySchema = new WeakMap<ClassSchema, Plan>()

/**
 * JSON of the objects that `decodeObject` and `fillFileUrls` make of these rows, written without the objects in
 * between: reading and writing JSON costs more than all the rest of a query. `text` is a list of rows as the database
 * writes them: the columns of every table, then the fields in the order of the class, empty ones as null or absent.
 * `undefined` where it is written in another way.
 */
export function transcribeRows(
  host: FileHost,
  schema: ClassSchema,
  text: string,
  included?: Included,
): string | undefined {
  let written = ''
  const isWhole = eachRow(host, schema, text, included, (row) => {
    written += written === '' ? row : `,${row}`
  })
  return isWhole ? `[${written}]` : undefined
}

/** The same by object, each with its id as JSON. */
export function transcribeEach(
  host: FileHost,
  schema: ClassSchema,
  text: string,
): { id: string; text: string }[] | undefined {
  const rows: { id: string; text: string }[] = []
  const start = '{"objectId":'.length
  const isWhole = eachRow(host, schema, text, undefined, (row) => {
    rows.push({ id: row.slice(start, endOfString(row, start)), text: row })
  })
  return isWhole ? rows : undefined
}

/** Returns false if the rows are written in another way. */
function eachRow(
  host: FileHost,
  schema: ClassSchema,
  text: string,
  included: Included | undefined,
  take: (row: string) => void,
): boolean {
  if (text === '[]') return true
  const plan = planOf(schema)
  let at = text.indexOf('{')
  for (;;) {
    const transcript: Transcript = { text, written: '', from: at, at, included }
    if (at < 0 || !transcribeRow(host, plan, transcript)) return false
    take(transcript.written)
    at = transcript.at
    if (text.charCodeAt(at) !== comma) break
    at = text.indexOf('{', at)
  }
  return text.charCodeAt(at) === listEnd && at === text.length - 1
}

const quote = 34
const comma = 44
const hyphen = 45
const listStart = 91
const backslash = 92
const listEnd = 93
const n = 110
const objectStart = 123
const objectEnd = 125

/** Texts in the place of pointers, by the `"name":` of their field. Without one, the member disappears. */
export type Included = ReadonlyMap<string, (id: string) => string | undefined>

/** A row on its way. What stays as it is between two changes is copied as one piece. */
type Transcript = {
  readonly text: string
  written: string
  /** Start of the piece that is still to be copied. */
  from: number
  /** Place between two members: the brace or comma before the next one. */
  at: number
  readonly included: Included | undefined
}

/** Leaves `at` behind the row. Returns false for a row of another form. */
function transcribeRow(host: FileHost, { columns, relations }: Plan, transcript: Transcript): boolean {
  const { text, included } = transcript
  if (passMember(transcript, '"objectId":') < 0) return false
  if (!writeTime(transcript, passMember(transcript, '"createdAt":'))) return false
  if (!writeTime(transcript, passMember(transcript, '"updatedAt":'))) return false
  const cut = transcript.at
  const readers = readMember(transcript, '"_rperm":')
  const writers = readMember(transcript, '"_wperm":')
  const nulls = readMember(transcript, '"_nulls":')
  if (transcript.at < 0) return false
  copyTo(transcript, cut, transcript.at)
  for (const { key, write } of columns) {
    const before = transcript.at
    const start = passMember(transcript, key)
    if (start < 0) {
      // An empty field of a wide class, unless the row is written in another way.
      if (transcript.at !== before) return false
    } else if (text.charCodeAt(start) === n) {
      copyTo(transcript, before, transcript.at)
    } else if (included?.has(key)) {
      const end = transcript.at
      const target = included.get(key)?.(text.slice(start, end))
      copyTo(transcript, target === undefined ? before : start, end)
      transcript.written += target ?? ''
    } else if (write) {
      const end = transcript.at
      copyTo(transcript, start, end)
      transcript.written += write(host, text.slice(start, end))
    }
  }
  if (text.charCodeAt(transcript.at) !== objectEnd) return false
  copyTo(transcript, transcript.at, transcript.at + 1)
  if (nulls !== 'null') {
    const names: string[] = JSON.parse(nulls)
    for (const name of names) transcript.written += `,${JSON.stringify(name)}:null`
  }
  transcript.written += `${relations}${writeAcl(readers, writers)}}`
  transcript.at++
  return true
}

/** Copies all up to one place, and goes on at the other. */
function copyTo(transcript: Transcript, end: number, next: number): void {
  if (transcript.from < end) transcript.written += transcript.text.slice(transcript.from, end)
  transcript.from = next
}

/**
 * Passes the next member, if it has this key. Returns where its value begins; negative where there is no such member,
 * or where it does not end.
 */
function passMember(transcript: Transcript, key: string): number {
  const { text, at } = transcript
  if (!text.startsWith(key, at + 1)) return -1
  const start = at + 1 + key.length
  transcript.at = endOf(text, start)
  return transcript.at < 0 ? -1 : start
}

/** Passes a member that rows of wide classes leave out where it is null. */
function readMember(transcript: Transcript, key: string): string {
  const start = passMember(transcript, key)
  return start < 0 ? 'null' : transcript.text.slice(start, transcript.at)
}

/** Writes the time that was passed just now, in the wire's form. */
function writeTime(transcript: Transcript, start: number): boolean {
  if (start < 0) return false
  const end = transcript.at
  const { text } = transcript
  const isUsual = end - start === usualTime && text.charCodeAt(start + 5) === hyphen
  if (isUsual && text.startsWith('+00:00"', end - 7)) {
    copyTo(transcript, end - 7, end - 1)
    transcript.written += 'Z'
  } else {
    copyTo(transcript, start, end)
    transcript.written += quotedIso(text.slice(start, end))
  }
  return true
}

/** Length of `"2020-01-01T00:00:00.123+00:00"`. A year of five digits with a shorter fraction is as long. */
const usualTime = 31

/** The place after the value that begins here; negative where it does not end. */
function endOf(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === quote) return endOfString(text, start)
  let at = start
  if (first !== listStart && first !== objectStart) {
    for (; at < text.length; at++) {
      const letter = text.charCodeAt(at)
      if (letter === comma || letter === objectEnd || letter === listEnd) return at
    }
    return -1
  }
  let depth = 0
  while (at >= 0 && at < text.length) {
    const letter = text.charCodeAt(at)
    if (letter === quote) {
      at = endOfString(text, at)
      continue
    }
    if (letter === listStart || letter === objectStart) depth++
    else if ((letter === listEnd || letter === objectEnd) && --depth === 0) return at + 1
    at++
  }
  return -1
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    if (text.charCodeAt(end - 1) !== backslash) return end + 1
    let slashes = 1
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return -1
}

function quotedIso(stored: string): string {
  return `"${toIso(stored.slice(1, -1))}"`
}

const mostLists = 1_000

/** Access lists by their columns: most objects of a class share a few. */
const writtenLists = new Map<string, string>()

function writeAcl(readers: string, writers: string): string {
  const key = `${readers}${writers}`
  const known = writtenLists.get(key)
  if (known !== undefined) return known
  const stored: StoredAcl = { _rperm: JSON.parse(readers), _wperm: JSON.parse(writers) }
  const acl = decodeAcl(stored)
  const written = acl ? `,"ACL":${JSON.stringify(acl)}` : ''
  if (key.length > 1_000) return written
  if (writtenLists.size >= mostLists) writtenLists.clear()
  writtenLists.set(key, written)
  return written
}

function planOf(schema: ClassSchema): Plan {
  const known = planBySchema.get(schema)
  if (known) return known
  const relations = [...schema.relations].map(
    ([name, className]) => `,${JSON.stringify(name)}:${JSON.stringify({ __type: 'Relation', className })}`,
  )
  const columns = [...schema.fields].map(([name, field]) => ({
    key: `${JSON.stringify(name)}:`,
    write: writerOf(field),
  }))
  const plan: Plan = { columns, relations: relations.join('') }
  planBySchema.set(schema, plan)
  return plan
}

function writerOf(field: FieldType): Column['write'] {
  switch (field.type) {
    case 'String':
    case 'Number':
    case 'Boolean':
      return undefined
    case 'Date':
      return (_host, stored) => `{"__type":"Date","iso":${quotedIso(stored)}}`
    case 'Pointer': {
      const start = `{"__type":"Pointer","className":${JSON.stringify(field.targetClass ?? '')},"objectId":`
      return (_host, stored) => `${start}${stored}}`
    }
    case 'Polygon':
      return (_host, stored) => `{"__type":"Polygon","coordinates":${stored}}`
    case 'Bytes':
    case 'GeoPoint':
      return (_host, stored) => JSON.stringify(decodeValue(JSON.parse(stored), field))
    default:
      // The database writes every value in one spelling: no file is without this.
      return (host, stored) => (stored.includes('"File"') ? writeFiles(host, stored) : stored)
  }
}

function writeFiles(host: FileHost, stored: string): string {
  const value: WireValue = JSON.parse(stored)
  fillFileUrlsIn(host, value)
  return JSON.stringify(value)
}
