import { hash } from 'node:crypto'
import { CountersignError } from '@countersign/protocol'
import { type ClientBase, type CustomTypesConfig, defaults, Query, type QueryResult, types } from 'pg'
import { isStaleStatement, translateError } from './databaseErrors.ts'

// Symbols, because what a caller sent as JSON must never pass for SQL.
const isSql = Symbol('SQL')

const isParam = Symbol('SQL parameter')

/** The protocol counts values in 16 bits; with one more, the rest of the message would be read as something else. */
const mostValues = 60_000

export type StatementOptions = {
  /** Prepared under this name, once a connection: for hot paths. The text must always be the same. */
  name?: string
  /** A named write that waits for no disk and no lock, so that it may travel among the reads. */
  quick?: boolean
  /** A caller's read with a timeout in ms; it delays no other caller. */
  timeout?: number
  /** Built from a caller's query: prepared, under its own name, once the same text comes again. */
  prepare?: boolean
  /** The data of a `copy … from stdin`, which binds no values. Only a PostgreSQL server takes it. */
  copy?: Buffer
}

/** A piece of SQL: texts, and between each two of them a value to bind or another piece. */
export type Fragment = {
  readonly [isSql]: true
  readonly texts: readonly string[]
  readonly between: readonly unknown[]
  readonly options?: StatementOptions
}

/** A value that is bound once, however often the statement names it. */
export type Param = { readonly [isParam]: true; readonly value: unknown }

const fragmentOf = (texts: readonly string[], between: readonly unknown[]): Fragment => ({
  [isSql]: true,
  texts,
  between,
})

const tagWith =
  (options: StatementOptions) =>
  (texts: TemplateStringsArray, ...between: unknown[]): Fragment => ({ [isSql]: true, texts, between, options })

const quoted = (name: string): string => `"${name.includes('"') ? name.replaceAll('"', '""') : name}"`

/** Composes SQL: pieces that are put in become part of it, every other value is bound. */
export const sql = Object.assign(
  (texts: TemplateStringsArray, ...between: unknown[]): Fragment => fragmentOf(texts, between),
  {
    /** A statement that is prepared under this name. */
    named: (name: string, options: Omit<StatementOptions, 'name'> = {}) => tagWith({ ...options, name }),
    /** Statement built from a caller's query: prepared once the same text comes again. */
    prepared: tagWith({ prepare: true }),
    /** A statement with options. */
    with: tagWith,
    /** A value that the statement names more than once. */
    param: (value: unknown): Param => ({ [isParam]: true, value }),
    /** A name, quoted. */
    id: (name: string): Fragment => fragmentOf([quoted(name)], []),
    /** The table of a class. Always with its schema: a class called `pg_class` must not read the catalogue. */
    table: (className: string): Fragment => fragmentOf([`public.${quoted(className)}`], []),
    /** A column of the table that the statement knows by this alias. */
    column: (alias: string, name: string): Fragment => fragmentOf([`${alias}.${quoted(name)}`], []),
    /** Statement with a caller's timeout in ms. */
    limited: (fragment: Fragment, timeout: number): Fragment => ({
      ...fragment,
      options: { ...fragment.options, timeout },
    }),
    /** Text as it is; never one of a caller. */
    raw: (text: string | number): Fragment => fragmentOf([String(text)], []),
    /** The same piece written out, for one that is used again and again. It binds no value. */
    flat: (fragment: Fragment): Fragment => {
      const written: Written = { values: [], params: undefined, length: 0 }
      const text = write(fragment, written)
      if (written.values.length > 0) throw new Error('A piece that binds values cannot be written out.')
      return fragmentOf([text], [])
    },
    /** Pieces or values with a separator between them, a comma where none is given. */
    join: (items: readonly unknown[], separator = ', '): Fragment => {
      const texts: string[] = new Array(items.length + 1).fill(separator)
      texts[0] = texts[items.length] = ''
      return fragmentOf(texts, items)
    },
  },
)

/** A piece that is named twice at each of many levels doubles with each: such a statement is refused in time. */
const mostText = 32_000_000

/** Parts of a statement written so far. */
type Written = { values: unknown[]; params: Map<Param, string> | undefined; length: number }

/** The statement of a fragment of the `sql` tag. Every value in it is bound, none becomes text. */
export const compile = (fragment: Fragment): Statement => {
  const { options } = fragment
  const values: unknown[] = []
  const text = write(fragment, { values, params: undefined, length: 0 })
  if (options === undefined) return { text, values }
  const { prepare, ...rest } = options
  return prepare ? { ...nameStatement(text, values), ...rest } : { text, values, ...rest }
}

const write = ({ texts, between }: Fragment, written: Written): string => {
  let text = texts[0] as string
  for (let place = 0; place < between.length; place++) {
    text += writeValue(between[place], written) + texts[place + 1]
  }
  // Each level counts its content again, which is only a few times the length.
  written.length += text.length
  if (written.length > mostText) throw tooMuch()
  return text
}

const writeValue = (value: unknown, written: Written): string => {
  if (typeof value !== 'object' || value === null) return bind(value, written)
  if (isSql in value) return write(value as Fragment, written)
  if (!(isParam in value)) return bind(value, written)
  written.params ??= new Map()
  const known = written.params.get(value as Param)
  if (known !== undefined) return known
  const placeholder = bind((value as Param).value, written)
  written.params.set(value as Param, placeholder)
  return placeholder
}

const bind = (value: unknown, { values }: Written): string => {
  if (values.length >= mostValues) throw tooMuch()
  return `$${values.push(value)}`
}

const tooMuch = () => new CountersignError('InvalidQuery', 'The request is too large. Request less data.')

/** A value for a jsonb parameter. The driver would write an array as a PostgreSQL array and a string as it is. */
export const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** Statement for the driver. */
export type Statement = {
  text: string
  values?: unknown[]
  name?: string | undefined
  quick?: boolean
  timeout?: number
  copy?: Buffer
}

/**
 * A statement that is longer costs more memory, on every connection, than its preparing saves. Queries of a class with
 * 500 fields fit: to parse one takes ten times as long as to run it.
 */
const longestText = 40_000

const mostNames = 1_000

const mostSeen = 10_000

/** The least lately used come first. */
const names = new Map<string, string>()

const seen = new Set<string>()

let given = 0

/**
 * Statement from built text, with a name if it comes again: one that is used once need not be prepared. Callers choose
 * the shapes, so unused ones are evicted. No name is reused.
 */
export function nameStatement(text: string, values: unknown[]): Statement {
  const name = names.get(text)
  if (name !== undefined) {
    names.delete(text)
    names.set(text, name)
    return { name, text, values }
  }
  if (text.length > longestText || isNew(text)) return { text, values }
  const made = `shape-${++given}`
  names.set(text, made)
  if (names.size > mostNames) names.delete(names.keys().next().value as string)
  return { name: made, text, values }
}

function isNew(text: string): boolean {
  const key = hash('sha256', text, 'base64url')
  if (seen.delete(key)) return false
  if (seen.size >= mostSeen) seen.clear()
  seen.add(key)
  return true
}

export type StatementNames = {
  /** The name under which the statement is prepared at present. */
  current(name: string): string
  /** Gives a statement another name, so that every connection prepares it again. */
  renew(name: string, stale: string): void
}

/**
 * A prepared statement goes stale when its table changes shape. It then gets a new name rather than being
 * deallocated: on a pipelined connection others that use the old one are in flight.
 */
export const createStatementNames = (): StatementNames => {
  const renewed = new Map<string, { name: string; times: number }>()
  return {
    current: (name) => (renewed.size === 0 ? name : (renewed.get(name)?.name ?? name)),
    renew: (name, stale) => {
      const entry = renewed.get(name)
      if ((entry?.name ?? name) !== stale) return
      const times = (entry?.times ?? 0) + 1
      renewed.set(name, { name: `${name}~${times}`, times })
    },
  }
}

type Prepared = { names: Set<string>; letters: number }

type Known = { parsedStatements: object; submittedNamedStatements: object }

/** Limit of prepared text per connection: prepared statements take a multiple of it in memory. */
const mostLetters = 1_000_000

/** By connection of the driver, whose objects have no room for a field of ours. */
const preparedByConnection = new WeakMap<ClientBase, Prepared>()

/**
 * Counts prepared statements of a connection and starts over before there are too many: callers choose the shapes, and
 * the database would keep each as long as the connection lives. Statements in flight come first; one that is being
 * prepared at this moment is found stale on its next use, and prepared again.
 */
function countPrepared(client: ClientBase, name: string, text: string): void {
  const prepared = preparedByConnection.get(client) ?? { names: new Set<string>(), letters: 0 }
  preparedByConnection.set(client, prepared)
  if (prepared.names.has(name)) return
  if (prepared.letters + text.length > mostLetters) {
    const { connection } = client as unknown as { connection: Known }
    client.query('deallocate all').catch(() => {})
    connection.parsedStatements = {}
    connection.submittedNamedStatements = {}
    prepared.names.clear()
    prepared.letters = 0
  }
  prepared.names.add(name)
  prepared.letters += text.length
}

/** Copy functions of the driver's connection, which its types lack. */
type CopyTarget = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** The driver copies each chunk. */
const copiedAtOnce = 256 * 1024

export type StatementResult = Pick<QueryResult, 'rows' | 'command'>

/**
 * Sends a statement and calls back once. A query object with a plain callback spares the copy of the
 * configuration and the second promise that `client.query({ … })` makes for each statement.
 */
export const submitStatement = (
  client: ClientBase,
  statement: Statement,
  name: string | undefined,
  done: (error: unknown, result: StatementResult) => void,
): void => {
  const query: Query & { name?: string; handleCopyInResponse?: (connection: CopyTarget) => void } = new Query(
    statement.text,
    statement.values,
    (error: Error | undefined, result: StatementResult | StatementResult[]) => {
      // Several statements in one text have a result each: the last one counts.
      done(error, Array.isArray(result) ? (result.at(-1) as StatementResult) : result)
    },
  )
  if (name !== undefined) {
    query.name = name
    countPrepared(client, name, statement.text)
  }
  const { copy } = statement
  if (copy !== undefined) {
    query.handleCopyInResponse = (connection) => {
      for (let from = 0; from < copy.length; from += copiedAtOnce) {
        connection.sendCopyFromChunk(copy.subarray(from, from + copiedAtOnce))
      }
      connection.endCopyFrom()
    }
  }
  client.query(query)
}

/** Runs a statement outside a transaction. A stale prepared statement did not run: it is prepared again and repeated. */
export const runStatement = <Row>(
  names: StatementNames,
  client: ClientBase,
  statement: Statement,
  tries = 3,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const name = statement.name === undefined ? undefined : names.current(statement.name)
    submitStatement(client, statement, name, (error, result) => {
      if (!error) return resolve(result.rows)
      if (name === undefined || tries <= 1 || !isStaleStatement(error)) return reject(translateError(error))
      names.renew(statement.name as string, name)
      resolve(runStatement(names, client, statement, tries - 1))
    })
  })

// A Date goes out in UTC: in the zone of the process, offsets with seconds (before 1900) would be cut.
defaults.parseInputDatesAsUTC = true

const INT8 = 20

const INT8_ARRAY = 1016

const parseInt8 = (text: string): number | string => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const parseTexts = types.getTypeParser(1009 as number, 'text') as (text: string) => (string | null)[]

const parseInt8Array = (text: string): (number | string | null)[] =>
  parseTexts(text).map((entry) => (entry === null ? null : parseInt8(entry)))

/**
 * Converts columns to JavaScript values, in both databases. A bigint is a number if that is exact, else its digits; all
 * other types are the driver's: Date, Buffer, parsed JSON, arrays.
 */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return parseInt8
      if (oid === INT8_ARRAY) return parseInt8Array
    }
    return types.getTypeParser(oid, format as 'text')
  }) as CustomTypesConfig['getTypeParser'],
}
