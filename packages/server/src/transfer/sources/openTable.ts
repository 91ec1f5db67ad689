import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { WireFields, WireValue } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import { readField } from '../../classes/schema/planFields.ts'
import { type JsonObject, readJsonObjects } from '../readJsonObjects.ts'
import { type Source, type SourceDocument, TransferError } from '../Source.ts'

export type TableOptions = {
  file: string
  kind: 'csv' | 'json'
  className: string
  /** Types by field, such as `age=Number,owner=Pointer<_User>`; the others are guessed. */
  types?: string | undefined
}

type Row = { value: Record<string, unknown>; position: string }

const guessedFrom = 1_000
const longestRecord = 16 * 1024 * 1024

/** One file of objects of one class. Types are guessed from its first rows, unless they are named. */
export async function openTable({
  file,
  kind,
  className,
  types,
}: TableOptions): Promise<Source & { types: WireFields }> {
  const path = resolve(file)
  const found = await stat(path).catch((cause: unknown) => {
    throw new TransferError(`The file ${path} cannot be read.`, { cause })
  })
  const named = readTypes(className, types ?? '')
  const read = (from: string | undefined) => (kind === 'csv' ? readCsv(path, from) : readJson(path, from))
  const guessed = kind === 'csv' ? await guess(read(undefined), named) : named
  return {
    identity: `${kind} ${path} ${className}`,
    leftOut: [],
    types: guessed,
    async classes() {
      return Object.keys(guessed).length === 0 ? [] : [{ className, fields: guessed }]
    },
    async units() {
      return [
        {
          name: className,
          target: { as: 'objects', className },
          size: found.size,
          async *read(from) {
            for await (const rows of read(from)) yield rows.map((row) => toDocument(row, guessed, kind))
          },
        },
      ]
    },
    openFile: async () => undefined,
  }
}

function readTypes(className: string, text: string): WireFields {
  const types: WireFields = {}
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', type = '', targetClass] = /^\s*(\w+)\s*=\s*(\w+)(?:<(\w+)>)?\s*$/.exec(part) ?? []
    if (name === '')
      throw new TransferError(
        `--types must be a list such as age=Number,owner=Pointer<_User>, not "${part.slice(0, 100)}".`,
      )
    types[name] = { type, ...(targetClass !== undefined && { targetClass }) }
    readField(className, name, types[name] as WireValue)
  }
  return types
}

async function* readJson(path: string, from: string | undefined): AsyncGenerator<Row[]> {
  const start = Number(from ?? 0)
  const bytes = createReadStream(path, { start, highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>
  for await (const objects of readJsonObjects(bytes, start)) {
    yield objects.map(({ value, end }: JsonObject) => ({ value: value ?? {}, position: String(end) }))
  }
}

async function* readCsv(path: string, from: string | undefined): AsyncGenerator<Row[]> {
  const { CsvError, parse } = await import('csv-parse')
  let count = Number(from ?? 0)
  const parser = parse({
    columns: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: longestRecord,
  })
  const file = createReadStream(path).on('error', (error) => parser.destroy(error))
  let skip = count
  let page: Row[] = []
  try {
    for await (const value of file.pipe(parser) as AsyncIterable<Record<string, string>>) {
      if (skip-- > 0) continue
      page.push({ value, position: String(++count) })
      if (page.length < 500) continue
      yield page
      page = []
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const fault = csvFaults[cause.code] ?? 'it is not valid CSV'
    throw new TransferError(`${path}, line ${parser.info.lines}: ${fault}.`, { cause })
  }
  if (page.length > 0) yield page
}

const csvFaults: Partial<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a comma must follow a closing quote. Write a quote inside a value twice',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed before the end of the file',
  INVALID_OPENING_QUOTE: 'a value with a quote inside must be in quotes, and the quote written twice',
  CSV_MAX_RECORD_SIZE: `a row is larger than ${longestRecord / 1024 / 1024} MiB`,
}

/** A type that fits every value among the first rows; otherwise it is text. */
async function guess(pages: AsyncIterable<Row[]>, named: WireFields): Promise<WireFields> {
  const fits = new Map<string, Set<string>>()
  let seen = 0
  for await (const rows of pages) {
    for (const { value } of rows) {
      for (const [name, text] of Object.entries(value as Record<string, string>)) {
        const left = fits.get(name) ?? new Set(['Number', 'Boolean', 'Date', 'Array', 'Object'])
        fits.set(name, left)
        if (text !== '') for (const type of left) if (readText(text, type) === undefined) left.delete(type)
      }
    }
    seen += rows.length
    if (seen >= guessedFrom) break
  }
  const types: WireFields = {}
  for (const [name, left] of fits) {
    if (['objectId', 'createdAt', 'updatedAt'].includes(name)) continue
    types[name] = named[name] ?? { type: left.size > 0 && left.size < 5 ? ([...left][0] as string) : 'String' }
  }
  return types
}

function toDocument({ value, position }: Row, types: WireFields, kind: 'csv' | 'json'): SourceDocument {
  const fields: Record<string, unknown> = Object.hasOwn(value, 'objectId') ? {} : { objectId: newObjectId() }
  for (const [name, given] of Object.entries(value)) {
    if (given === '' && kind === 'csv') continue
    const { type, targetClass } = Object(types[name]) as { type?: string; targetClass?: string }
    const isText = typeof given === 'string' && type !== undefined
    fields[name] = isText ? (readText(given, type, targetClass) ?? given) : given
  }
  return { form: 'rest', fields, position }
}

function readText(text: string, type: string, targetClass = ''): unknown {
  switch (type) {
    case 'Number':
      // Not what a number would lose: an article's 007, or more digits than it holds.
      return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : undefined
    case 'Boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined
    case 'Date':
      return /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text) &&
        !Number.isNaN(Date.parse(text))
        ? { __type: 'Date', iso: new Date(text).toISOString() }
        : undefined
    case 'Pointer':
      return { __type: 'Pointer', className: targetClass, objectId: text }
    case 'GeoPoint': {
      const [latitude, longitude] = text.split(/[,; ]+/).map(Number)
      return { __type: 'GeoPoint', latitude, longitude }
    }
    case 'Array':
    case 'Object':
      try {
        const value: unknown = JSON.parse(text)
        return Array.isArray(value) === (type === 'Array') && typeof value === 'object' && value !== null
          ? value
          : undefined
      } catch {
        return undefined
      }
    default:
      return text
  }
}
