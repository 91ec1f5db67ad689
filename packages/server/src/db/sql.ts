import type { Statement } from './Database.ts'

// A symbol, because what a caller sent as JSON must never pass for SQL.
const isSql = Symbol('SQL')

/** A piece of SQL: texts, and between each two of them a value to bind or another piece. */
export type Fragment = {
  readonly [isSql]: true
  readonly texts: readonly string[]
  readonly between: readonly unknown[]
}

const fragmentOf = (texts: readonly string[], between: readonly unknown[]): Fragment => ({
  [isSql]: true,
  texts,
  between,
})

const isFragment = (value: unknown): value is Fragment => typeof value === 'object' && value !== null && isSql in value

/** Composes SQL: pieces that are put in become part of it, every other value is bound. */
export const sql = Object.assign(
  (texts: TemplateStringsArray, ...between: unknown[]): Fragment => fragmentOf(texts, between),
  {
    /** A name, quoted. */
    id: (name: string): Fragment => fragmentOf([`"${name.replaceAll('"', '""')}"`], []),
    /** Text as it is; never one of a caller. */
    raw: (text: string): Fragment => fragmentOf([text], []),
    /** Pieces or values with commas between them. */
    join: (items: readonly unknown[]): Fragment =>
      fragmentOf(['', ...items.slice(1).map(() => ', '), ...(items.length > 0 ? [''] : [])], items),
  },
)

/** The statement of a fragment of the `sql` tag. Every value in it is bound, none becomes text. */
export const compile = (fragment: Fragment, name?: string): Statement => {
  const values: unknown[] = []
  const text = write(fragment, values)
  return name === undefined ? { text, values } : { text, values, name }
}

const write = ({ texts, between }: Fragment, values: unknown[]): string => {
  let text = texts[0] ?? ''
  for (const [place, value] of between.entries()) {
    text += isFragment(value) ? write(value, values) : `$${values.push(value)}`
    text += texts[place + 1] ?? ''
  }
  return text
}

const identifierPattern = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/

/** A table, column or index by name. Refuses what PostgreSQL would cut off or what could need escaping. */
export const identifier = (name: string): Fragment => {
  if (!identifierPattern.test(name)) throw new Error(`Not a usable name in SQL: ${JSON.stringify(name)}`)
  return sql.id(name)
}

/** A value for a jsonb parameter. The driver would write an array as a PostgreSQL array and a string as it is. */
export const json = (value: unknown): string => JSON.stringify(value) ?? 'null'
