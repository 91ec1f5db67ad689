import { CountersignError, type DataViewRecord, type EndpointTypes, refuse } from '@countersign/protocol'
import { newObjectId } from '../classes/names.ts'
import { actorOf, type Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

/** Views of one class. */
const mostViews = 100

type Row = {
  id: string
  class_name: string
  name: string
  filter: string
  order: string
  hidden: string[]
  changed: Date
}

const columns = sql`id, class_name, name, filter, "order", hidden, changed`

const encode = ({ id, class_name, name, filter, order, hidden, changed }: Row): DataViewRecord => ({
  objectId: id,
  className: class_name,
  name,
  filter,
  order,
  hidden,
  changedAt: changed.toISOString(),
})

type New = EndpointTypes['createDataView']['input']

async function createDataView({ db, clock }: Context, caller: Caller, input: New): Promise<DataViewRecord> {
  const { className, filter = '', order = '', hidden = [] } = input
  const name = input.name.trim()
  if (name === '') throw refuse('invalidInput', { field: 'name', problem: 'is empty' })
  return db.transaction(async () => {
    // One at a time: two at once would both see room below the limit.
    await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:views'), hashtext(${className}))`)
    const [known] = await db.query<{ views: number; taken: boolean }>(sql`
      select (select count(*)::int from countersign.data_views where class_name = ${className}) as views,
        exists (select from countersign.data_views where class_name = ${className} and name = ${name}) as taken
      from countersign.classes where "className" = ${className}`)
    if (!known) throw refuse('invalidInput', { field: 'className', problem: 'is not a class' })
    if (known.taken) throw refuse('viewNameTaken')
    if (known.views >= mostViews)
      throw refuse('invalidInput', { field: 'className', problem: `has ${mostViews} views, the maximum` })
    const [made] = await db.query<Row>(sql`
      insert into countersign.data_views (id, class_name, name, filter, "order", hidden, changed, by)
      values (${newObjectId()}, ${className}, ${name}, ${filter}, ${order}, ${JSON.stringify(hidden)}::jsonb,
        ${clock.now()}, ${actorOf(caller)})
      returning ${columns}`)
    return encode(made as Row)
  })
}

const notFound = () => new CountersignError('ObjectNotFound', 'Object not found.')

export const listDataViewsEndpoint = defineEndpoint('listDataViews', {
  async handle({ context: { db }, input: { className } }) {
    const rows = await db.query<Row>(sql`
      select ${columns} from countersign.data_views where class_name = ${className} order by name, id`)
    return { results: rows.map(encode) }
  },
})

export const createDataViewEndpoint = defineEndpoint('createDataView', {
  handle: ({ context, caller, input }) => createDataView(context, caller, input),
})

export const updateDataViewEndpoint = defineEndpoint('updateDataView', {
  async handle({ context: { db, clock }, caller, params, input: { filter = '', order = '', hidden = [] } }) {
    const [row] = await db.query<Row>(sql`
      update countersign.data_views
      set filter = ${filter}, "order" = ${order}, hidden = ${JSON.stringify(hidden)}::jsonb,
        changed = ${clock.now()}, by = ${actorOf(caller)}
      where id = ${params.objectId}
      returning ${columns}`)
    if (!row) throw notFound()
    return encode(row)
  },
})

export const deleteDataViewEndpoint = defineEndpoint('deleteDataView', {
  async handle({ context: { db }, params }) {
    const gone = await db.query(sql`delete from countersign.data_views where id = ${params.objectId} returning id`)
    if (gone.length === 0) throw notFound()
    return {}
  },
})
