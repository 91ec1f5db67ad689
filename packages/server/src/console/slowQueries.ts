import { randomBytes } from 'node:crypto'
import { CountersignError, type EndpointTypes, type SlowQueryRecord } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { isServedBy, type SlowQuery, type WantedIndex } from '../queries/slowQueries.ts'

type TableIndex = { className: string; fields: WantedIndex['fields']; isUnique: boolean }

/** The shapes of queries that took long on this server, those that cost the most first, with an index for each. */
async function listSlowQueries(context: Context): Promise<EndpointTypes['listSlowQueries']['output']> {
  const { config, services, clock } = context
  const queries = [...(services.slowQueries?.values() ?? [])].sort((one, other) => other.total - one.total)
  const there = await listIndexes(context, [...new Set(queries.map(({ className }) => className))])
  return {
    since: (services.figures?.startedAt ?? clock.now()).toISOString(),
    threshold: config.slowQueries.threshold,
    results: queries.flatMap((query): SlowQueryRecord[] => {
      const schema = context.classes.find(query.className)
      if (!schema) return []
      const { id, className, operation, shape, order, count, total, slowest, lastSeen, statement } = query
      const index = suggestIndex(schema, query, there)
      return [
        {
          objectId: id,
          className,
          operation,
          shape,
          order,
          count,
          average: round(total / count),
          slowest: round(slowest),
          lastSeen: lastSeen.toISOString(),
          hasPlan: statement !== undefined,
          ...(index && { index }),
        },
      ]
    }),
  }
}

const round = (ms: number) => Math.round(ms * 10) / 10

/** `undefined` where an index is of no use, is there already, or cannot be made any more. */
function suggestIndex(
  schema: ClassSchema,
  { wanted }: SlowQuery,
  there: readonly TableIndex[],
): SlowQueryRecord['index'] {
  if (!wanted || schema.source) return undefined
  if (wanted.fields.some(([name]) => !schema.fields.has(name) && !baseFields.has(name))) return undefined
  const own = [...schema.indexes.values()].map(({ fields, unique }) => ({ fields: [...fields], isUnique: unique }))
  const ofTable = there.filter(({ className }) => className === schema.className)
  if ([...own, ...ofTable].some(({ fields, isUnique }) => isServedBy(wanted, fields, isUnique))) return undefined
  return { name: nameIndex(schema, wanted), fields: Object.fromEntries(wanted.fields) }
}

const baseFields = new Set(['objectId', 'createdAt', 'updatedAt'])

/** `byAuthorAndCreatedAt`, with a number where the class has such an index. */
function nameIndex({ indexes }: ClassSchema, { fields }: WantedIndex): string {
  const capital = ([name]: [string, unknown]) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  const name = `by${fields.map(capital).join('And')}`.slice(0, 58)
  let given = name
  for (let number = 2; indexes.has(given); number++) given = `${name}${number}`
  return given
}

/**
 * Indexes of tables as the database has them: those of the server's own columns and those made by hand are in no
 * schema. Partial ones and those of expressions serve other queries.
 */
async function listIndexes({ db }: Context, classNames: string[]): Promise<TableIndex[]> {
  if (classNames.length === 0) return []
  return db.query<TableIndex>(sql`
    select c.relname as "className", i.indisunique as "isUnique",
      (
        select json_agg(
          json_build_array(a.attname, case when i.indoption[k.place - 1] & 1 = 1 then -1 else 1 end) order by k.place)
        from unnest(i.indkey::int2[]) with ordinality k (attribute, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attribute
        where k.place <= i.indnkeyatts
      ) as fields
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class x on x.oid = i.indexrelid
    join pg_am m on m.oid = x.relam
    where n.nspname in ('public', 'countersign_shards') and c.relname = any(${classNames}::text[]) and m.amname = 'btree'
      and i.indisvalid and i.indpred is null and i.indexprs is null`)
}

/** Plan of the latest query of a shape, for any values. The query is not run. */
async function getQueryPlan(context: Context, id: string): Promise<EndpointTypes['getQueryPlan']['output']> {
  const { db, services } = context
  const statement = services.slowQueries?.get(id)?.statement
  if (!statement) throw new CountersignError('ObjectNotFound', 'Query not found in the recorded queries.')
  // Written by this server for the query, with placeholders in place of all values.
  const text = sql.raw(statement.text)
  const name = sql.id(`plan-${randomBytes(8).toString('hex')}`)
  const absent = Array.from({ length: statement.values }, () => sql`null`)
  try {
    return await db.transaction(async () => {
      await db.query(sql`set local plan_cache_mode = force_generic_plan`)
      await db.query(sql`prepare ${name} as ${text}`)
      try {
        const rows = await db.nest(() =>
          db.query<{ 'QUERY PLAN': string }>(
            sql`explain execute ${name}${absent.length > 0 ? sql` (${sql.join(absent)})` : sql``}`,
          ),
        )
        return { plan: rows.map((row) => row['QUERY PLAN']).join('\n') }
      } finally {
        // It would outlive the transaction.
        await db.query(sql`deallocate ${name}`)
      }
    })
  } catch (error) {
    // A column or a table that is there no more.
    if (!String((error as { code?: unknown }).code).startsWith('42')) throw error
    throw new CountersignError('ObjectNotFound', 'The query can’t be explained because the class has changed.', {
      cause: error,
    })
  }
}

export const listSlowQueriesEndpoint = defineEndpoint('listSlowQueries', {
  handle: ({ context }) => listSlowQueries(context),
})

export const getQueryPlanEndpoint = defineEndpoint('getQueryPlan', {
  handle: ({ context, params }) => getQueryPlan(context, params.objectId),
})
