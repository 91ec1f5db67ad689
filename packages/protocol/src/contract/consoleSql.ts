import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, instant, listOf, nothing, text, wireValue } from './fields.ts'
import { named } from './typeNames.ts'

const query = text(10_000).min(1)

const savedQuery = named(
  'SavedQueryRecord',
  z
    .strictObject({
      objectId: z.string(),
      name: z.string(),
      query: z.string(),
      chart: z.boolean().describe('Shown as a chart.'),
      changedAt: instant,
    })
    .describe('A saved query of the SQL editor, shared by all administrators.'),
)

const table = named(
  'SqlTableRecord',
  z
    .strictObject({
      name: z.string(),
      columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
    })
    .describe('A class or relation, with the columns that a query may read.'),
)

const content = { query, chart: z.boolean().optional() }
const forAdmin = { access: 'operator', operators: ['admin'] } as const

/** The SQL editor of the console. With `sqlEditor: false`, all return 404. */
export const consoleSql = {
  getSqlTables: {
    method: 'GET',
    path: '/console/sql',
    summary: 'Classes and columns for SQL queries.',
    ...forAdmin,
    output: z.strictObject({ results: z.array(table), mostRows: z.number() }),
  },
  runSql: {
    method: 'POST',
    path: '/console/sql',
    summary: 'Run a SQL query that only reads. The audit log records its text.',
    ...forAdmin,
    input: z.object({ query }),
    output: z.strictObject({
      columns: z.array(
        z.strictObject({ name: z.string(), type: z.enum(['number', 'text', 'date', 'boolean', 'json']) }),
      ),
      rows: z.array(z.array(wireValue)),
      isMore: z.boolean().describe('True if rows were left out because of the limits.'),
      milliseconds: z.number(),
    }),
    reasons: ['sqlRefused', 'serverBusy'],
  },
  listSavedQueries: {
    method: 'GET',
    path: '/console/queries',
    summary: 'Saved SQL queries.',
    ...forAdmin,
    output: listOf(savedQuery),
  },
  createSavedQuery: {
    method: 'POST',
    path: '/console/queries',
    summary: 'Save a SQL query.',
    ...forAdmin,
    status: 201,
    input: z.object({ name: text(100).min(1), ...content }),
    output: savedQuery,
    reasons: ['queryNameTaken'],
  },
  updateSavedQuery: {
    method: 'PUT',
    path: '/console/queries/:objectId',
    summary: 'Replace the text of a saved SQL query.',
    ...forAdmin,
    params: byId,
    input: z.object(content),
    output: savedQuery,
  },
  deleteSavedQuery: {
    method: 'DELETE',
    path: '/console/queries/:objectId',
    summary: 'Delete a saved SQL query.',
    ...forAdmin,
    params: byId,
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>
