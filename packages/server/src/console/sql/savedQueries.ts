import { CountersignError, refuse, type SavedQueryRecord } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import { actorOf } from '../../context/Caller.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { requireEditor } from './runSql.ts'

const mostSaved = 200

type Row = { id: string; name: string; query: string; chart: boolean; changed: Date }

const columns = sql`id, name, query, chart, changed`

const encode = ({ id, name, query, chart, changed }: Row): SavedQueryRecord => ({
  objectId: id,
  name,
  query,
  chart,
  changedAt: changed.toISOString(),
})

const notFound = () => new CountersignError('ObjectNotFound', 'Object not found.')

export const listSavedQueriesEndpoint = defineEndpoint('listSavedQueries', {
  async handle({ context }) {
    requireEditor(context)
    const rows = await context.db.query<Row>(sql`select ${columns} from countersign.saved_queries order by name, id`)
    return { results: rows.map(encode) }
  },
})

export const createSavedQueryEndpoint = defineEndpoint('createSavedQuery', {
  async handle({ context, caller, input: { query, chart = false, ...input } }) {
    requireEditor(context)
    const { db, clock } = context
    const name = input.name.trim()
    if (name === '') throw refuse('invalidInput', { field: 'name', problem: 'is empty' })
    return db.transaction(async () => {
      // One at a time: two at once would both see room below the limit.
      await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:savedQueries'))`)
      const [known] = await db.query<{ count: number; taken: boolean }>(sql`
        select count(*)::int as count, coalesce(bool_or(name = ${name}), false) as taken from countersign.saved_queries`)
      if (known?.taken) throw refuse('queryNameTaken')
      if ((known?.count ?? 0) >= mostSaved)
        throw refuse('invalidInput', { field: 'name', problem: `is one of more than ${mostSaved}, the maximum` })
      const [made] = await db.query<Row>(sql`
        insert into countersign.saved_queries (id, name, query, chart, changed, by)
        values (${newObjectId()}, ${name}, ${query}, ${chart}, ${clock.now()}, ${actorOf(caller)})
        returning ${columns}`)
      return encode(made as Row)
    })
  },
})

export const updateSavedQueryEndpoint = defineEndpoint('updateSavedQuery', {
  async handle({ context, caller, params, input: { query, chart = false } }) {
    requireEditor(context)
    const [row] = await context.db.query<Row>(sql`
      update countersign.saved_queries
      set query = ${query}, chart = ${chart}, changed = ${context.clock.now()}, by = ${actorOf(caller)}
      where id = ${params.objectId}
      returning ${columns}`)
    if (!row) throw notFound()
    return encode(row)
  },
})

export const deleteSavedQueryEndpoint = defineEndpoint('deleteSavedQuery', {
  async handle({ context, params }) {
    requireEditor(context)
    const gone = await context.db.query(
      sql`delete from countersign.saved_queries where id = ${params.objectId} returning id`,
    )
    if (gone.length === 0) throw notFound()
    return {}
  },
})
