import { CountersignError, type EndpointTypes, refuse } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { isUnavailable } from '../../db/databaseErrors.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { createLimiter, type Limiter } from '../../work/createLimiter.ts'
import { listReadableTables } from './readableTables.ts'
import { readSql } from './readSql.ts'
import { runOnCopy } from './runOnCopy.ts'
import { runOnPostgres } from './runOnPostgres.ts'
import { mostRows, type SqlResult } from './writeSql.ts'

declare module '../../context/Context.ts' {
  interface Services {
    sqlLimiter?: Limiter
  }
}

/** Queries that this process runs at once, and those that wait. */
const atOnce = 2
const longestLine = 4

async function runSql(context: Context, query: string): Promise<EndpointTypes['runSql']['output']> {
  requireEditor(context)
  const readable = listReadableTables(context)
  const checked = await readSql(query, new Set(readable.map(({ name }) => name)))
  const tables = readable.filter(({ name }) => checked.tables.includes(name))
  const { db, services } = context
  services.sqlLimiter ??= createLimiter(atOnce, {
    longest: longestLine,
    refuse() {
      throw refuse('serverBusy')
    },
  })
  const begin = performance.now()
  const result = await services
    .sqlLimiter(() => (db.kind === 'postgres' ? runOnPostgres : runOnCopy)(context, checked, tables))
    .catch(refuseQuery)
  return { ...result, milliseconds: Math.round(performance.now() - begin) }
}

/** Errors of the database are the query's, with its message: it names nothing that the query may not read. */
function refuseQuery(error: unknown): SqlResult {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const isQuery = typeof code === 'string' && /^(0A|22|25|42|53|54|55|57|XX)...$/.test(code)
  if (error instanceof CountersignError || isUnavailable(error) || !isQuery) throw error
  throw refuse('sqlRefused', { problem: String(message).slice(0, 500) })
}

/** With the setting off, the editor does not exist. */
export function requireEditor({ config }: Context): void {
  if (!config.sqlEditor) throw new CountersignError('ObjectNotFound', 'Object not found.')
}

export const runSqlEndpoint = defineEndpoint('runSql', {
  // The text as well: it says what was read.
  auditDetails: ({ query }) => ({ query: String(query).slice(0, 10_000) }),
  handle: ({ context, input: { query } }) => runSql(context, query),
})

export const getSqlTablesEndpoint = defineEndpoint('getSqlTables', {
  async handle({ context }) {
    requireEditor(context)
    return { results: listReadableTables(context), mostRows }
  },
})
