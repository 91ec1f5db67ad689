import type { Context } from '../../context/Context.ts'
import { type Fragment, json, sql } from '../../db/sql.ts'
import type { JsonRow } from '../../objects/decodeObject.ts'
import type { Follower } from '../index/chainState.ts'

/** Notes how documents were before a block changed them, until the block is final. */
export async function keepBefore(
  { db }: Context,
  name: string,
  block: number,
  entries: readonly { className: string; id: string; row: JsonRow | undefined }[],
): Promise<void> {
  const rows = entries.map(({ className, id, row }) => ({ c: className, i: id, b: row ?? null }))
  await db.query(sql`
    insert into countersign.chain_state_undo (state, block, "className", "objectId", before)
    select ${name}, ${block}, each->>'c', each->>'i', nullif(each->'b', 'null')
    from jsonb_array_elements(${json(rows)}::jsonb) as each
    on conflict do nothing`)
}

/** Puts back what blocks above `ancestor` changed, in the open transaction. Needs none of the application's code. */
export async function undoStates({ context, chain }: Follower, ancestor: number): Promise<void> {
  const { db } = context
  const states = await db.query<{ name: string; undoable: number }>(sql`
    select name, undoable from countersign.chain_states
    where chain = ${chain.id} and block > ${ancestor}
    for update`)
  for (const { name, undoable } of states) {
    if (ancestor < undoable) {
      await db.query(sql`update countersign.chain_states set cleared = true where name = ${name}`)
      continue
    }
    const undone = await db.query<{ className: string; objectId: string; before: JsonRow | null }>(sql`
      select distinct on ("className", "objectId") "className", "objectId", before
      from countersign.chain_state_undo
      where state = ${name} and block > ${ancestor}
      order by "className", "objectId", block`)
    for (const className of new Set(undone.map((each) => each.className))) {
      await restore(
        context,
        className,
        undone.filter((each) => each.className === className),
      )
    }
    await db.query(sql`delete from countersign.chain_state_undo where state = ${name} and block > ${ancestor}`)
    await db.query(sql`update countersign.chain_states set block = ${ancestor} where name = ${name}`)
  }
}

async function restore(
  { db, classes }: Context,
  className: string,
  undone: readonly { objectId: string; before: JsonRow | null }[],
): Promise<void> {
  if (!classes.find(className)) return
  const table = sql.table(className)
  const made = undone.filter(({ before }) => before === null).map(({ objectId }) => objectId)
  const rows = undone.flatMap(({ before }) => (before === null ? [] : [before]))
  if (made.length > 0) await db.query(sql`delete from ${table} where "objectId" = any(${made})`)
  if (rows.length > 0) {
    const columns = await listColumns(db, className)
    const names = sql.join(columns)
    const over = sql.join(columns.map((column) => sql`${column} = excluded.${column}`))
    await db.query(sql`
      insert into ${table} (${names})
      select ${names} from jsonb_populate_recordset(null::${table}, ${json(rows)}::jsonb)
      on conflict ("objectId") do update set ${over}`)
  }
  db.reportChange(className)
}

async function listColumns(db: Context['db'], className: string): Promise<Fragment[]> {
  const rows = await db.query<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = format('public.%I', ${className}::text)::regclass
      and attnum > 0 and not attisdropped and attgenerated = ''`)
  return rows.map(({ name }) => sql.id(name))
}
