import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Bindings } from '../../db/createBindings.ts'
import type { Value } from './Value.ts'

/** The statement that is being written. */
export type Work = {
  bindings: Bindings
  /** Common table expressions so far, one a stage. */
  tables: string[]
  /** A name that nothing else in the statement has. Names of the client never become SQL. */
  fresh(letter: string): string
  /** The class that a `$lookup` names; throws where there is none. */
  getClass(className: string): ClassSchema
  now: Date
  /** How long a regular expression may be. */
  mostLetters: number
}

/** What the expressions of a stage can name: columns by field, and variables. */
export type Scope = {
  columns: ReadonlyMap<string, Value>
  /** After `$replaceRoot`: the object in which every other field is looked for. */
  rest?: Value
  variables: ReadonlyMap<string, Value>
}

/** Rows between two stages. */
export type Rows = {
  table: string
  scope: Scope
  /** The column that keeps the order of a `$sort`. */
  order?: string
}

/** What an expression is written in. */
export type Place = { work: Work; scope: Scope; depth: number }
