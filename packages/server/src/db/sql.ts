import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Statement } from './Database.ts'

export { type RawBuilder, sql }

const builder = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The statement of a fragment of the `sql` tag. Every value in it is bound, none becomes text. */
export const compile = (fragment: RawBuilder<unknown> | Compilable, name?: string): Statement => {
  const { sql: text, parameters } = (fragment as RawBuilder<unknown>).compile(builder)
  const values = parameters as unknown[]
  return name === undefined ? { text, values } : { text, values, name }
}

const identifierPattern = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/

/** A table, column or index by name. Refuses what PostgreSQL would cut off or what could need escaping. */
export const identifier = (name: string): RawBuilder<unknown> => {
  if (!identifierPattern.test(name)) throw new Error(`Not a usable name in SQL: ${JSON.stringify(name)}`)
  return sql.id(name)
}

/** A value for a jsonb parameter. The driver would write an array as a PostgreSQL array and a string as it is. */
export const json = (value: unknown): string => JSON.stringify(value) ?? 'null'
