import { CountersignError } from '@countersign/protocol'
import { createPlans, nameStatement, type Plan } from './createPlans.ts'
import type { Statement } from './Statement.ts'

// Symbols, because what a caller sent as JSON must never pass for SQL.
const isSql = Symbol('SQL')

const isParam = Symbol('SQL parameter')

/** The protocol counts values in 16 bits; with one more, the rest of the message would be read as something else. */
const mostValues = 60_000

export type StatementOptions = {
  /** Prepared under this name, once a connection: for hot paths. The text must always be the same. */
  name?: string | undefined
  /** A named write that waits for no disk and no lock, so that it may travel among the reads. */
  quick?: boolean | undefined
  /** A caller's read with a timeout in ms; it delays no other caller. */
  timeout?: number
  /** Built from a caller's query: prepared, under its own name, once the same text comes again. */
  prepare?: boolean | undefined
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

/** A piece with more places is composed each time. */
const mostPlaces = 100

/** Texts of joined pieces by separator and count, so that a plan knows them again. */
const joinedTexts = new Map<string, string[][]>()

function textsBetween(count: number, separator: string): readonly string[] {
  const known = joinedTexts.get(separator) ?? []
  const found = known[count]
  if (found) return found
  const texts: string[] = new Array(count + 1).fill(separator)
  texts[0] = texts[count] = ''
  if (count > mostPlaces) return texts
  known[count] = texts
  joinedTexts.set(separator, known)
  return texts
}

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
    limited: ({ texts, between, options }: Fragment, timeout: number): Fragment => ({
      [isSql]: true,
      texts,
      between,
      // Written out: a spread would cost more than the rest of this, and every query of a caller has a timeout.
      options: { name: options?.name, quick: options?.quick, prepare: options?.prepare, timeout },
    }),
    /** Texts, never a caller's, with values between them. The same array is the same piece, so that a plan knows it. */
    filled: (texts: readonly string[], values: readonly unknown[]): Fragment => fragmentOf(texts, values),
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
    join: (items: readonly unknown[], separator = ', '): Fragment =>
      fragmentOf(textsBetween(items.length, separator), items),
  },
)

/** A piece that is named twice at each of many levels doubles with each: such a statement is refused in time. */
const mostText = 32_000_000

/** Parts of a statement written so far. */
type Written = { values: unknown[]; params: Map<Param, string> | undefined; length: number }

const plans = createPlans()

/** The statement of a fragment of the `sql` tag. Every value in it is bound, none becomes text. */
export function compile(fragment: Fragment): Statement {
  const { options } = fragment
  const values: unknown[] = []
  if (options === undefined) return { text: compose(fragment, values), values }
  const { name, prepare, quick, timeout, copy } = options
  if (name === undefined && !prepare) return { text: compose(fragment, values), values, quick, timeout, copy }
  const plan = follow(fragment, plans.first, { values, params: [], isKept: false })
  if (plan?.text !== undefined && (name ?? plan.name) !== undefined) {
    return { text: plan.text, values, name: name ?? plan.name, quick, timeout, copy }
  }
  values.length = 0
  const text = compose(fragment, values)
  const given = name ?? nameStatement(text, values).name
  // Named statements come again; most shapes of callers never do.
  const kept = given === undefined ? undefined : follow(fragment, plans.first, { values: [], params: [], isKept: true })
  if (kept) plans.keep(kept, text, name === undefined ? given : undefined)
  return { text, values, name: given, quick, timeout, copy }
}

const compose = (fragment: Fragment, values: unknown[]): string =>
  write(fragment, { values, params: undefined, length: 0 })

/** Values and parameters met on the way, each with its placeholder's number. */
type Followed = { values: unknown[]; params: [param: Param, number: number][]; isKept: boolean }

/** Key of a place that binds a value. */
const bound = Symbol('bound value')

/** Follows the pieces of a statement to the place where its text is kept. */
function follow({ texts, between }: Fragment, from: Plan, followed: Followed): Plan | undefined {
  if (texts.length > mostPlaces) return undefined
  let plan = plans.step(from, texts.length === 1 ? texts[0] : texts, followed.isKept)
  for (let place = 0; plan !== undefined && place < between.length; place++) {
    plan = followValue(between[place], plan, followed)
  }
  return plan
}

function followValue(value: unknown, plan: Plan, followed: Followed): Plan | undefined {
  const { values, params, isKept } = followed
  if (typeof value === 'object' && value !== null) {
    if (isSql in value) return follow(value as Fragment, plan, followed)
    if (isParam in value) {
      // Named again by the same row, mostly.
      const known = params.findLast(([param]) => param === value)
      if (known) return plans.step(plan, known[1], isKept)
      params.push([value as Param, values.push((value as Param).value)])
      return plans.step(plan, bound, isKept)
    }
  }
  values.push(value)
  return plans.step(plan, bound, isKept)
}

function write({ texts, between }: Fragment, written: Written): string {
  let text = texts[0] as string
  for (let place = 0; place < between.length; place++) {
    text += writeValue(between[place], written) + texts[place + 1]
  }
  // Each level counts its content again, which is only a few times the length.
  written.length += text.length
  if (written.length > mostText) throw tooMuch()
  return text
}

function writeValue(value: unknown, written: Written): string {
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

function bind(value: unknown, { values }: Written): string {
  if (values.length >= mostValues) throw tooMuch()
  return `$${values.push(value)}`
}

const tooMuch = () => new CountersignError('InvalidQuery', 'The request is too large. Request less data.')

/** A value for a jsonb parameter. The driver would write an array as a PostgreSQL array and a string as it is. */
export const json = (value: unknown): string => JSON.stringify(value) ?? 'null'
