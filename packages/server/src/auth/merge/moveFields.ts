import { type ClassSchema, tableOf } from '../../classes/ClassSchema.ts'
import { changeAll } from '../../classes/partitions/logWrites.ts'
import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'

type Merge = { objectId: string; from: string; into: string }

/** A pointer to a user, as JSON lists hold it. */
export function pointerIn(userId: string): string {
  return JSON.stringify({ __type: 'Pointer', className: '_User', objectId: userId })
}

/** A list with each pointer to one user replaced by a pointer to another. */
export function replacePointer(list: Fragment, from: string, into: string): Fragment {
  const replaced = sql`jsonb_set(item, '{objectId}', to_jsonb(${into}::text))`
  return sql`(
    select jsonb_agg(case when item @> ${pointerIn(from)}::jsonb then ${replaced} else item end order by place)
    from jsonb_array_elements(${list}) with ordinality as items (item, place))`
}

/** Change of one field in all objects that name the account. Without `hadBoth`, no object can name both accounts. */
export type FieldMove = { name: string; value: Fragment; hadBoth?: Fragment; condition: Fragment }

/** The change as a part of a statement that records it. */
export function writeMove(table: Fragment, { name, value, hadBoth, condition }: FieldMove): Fragment {
  const column = sql.id(name)
  if (!hadBoth) {
    return sql`changed as (
      update ${table} as o set ${column} = ${value} where ${condition} returning "objectId", false as had_both
    )`
  }
  return sql`changed as (
    update ${table} as o set ${column} = ${value}
    from (select "objectId", ${hadBoth} as had_both from ${table} where ${condition} for update) as before
    where o."objectId" = before."objectId"
    returning o."objectId", before.had_both
  )`
}

/** The same for a distributed class, whose rows cannot be joined with local ones: by their ids. */
export async function moveSpread(db: Database, schema: ClassSchema, merge: Merge, move: FieldMove): Promise<void> {
  const { name, value, hadBoth = sql`false`, condition } = move
  await changeAll(db, schema, condition, async (ids) => {
    const chosen = sql`"objectId" = any(${ids}::text[]) and ${condition}`
    const found = await db.query<{ objectId: string; had: boolean }>(
      sql`select "objectId", ${hadBoth} as had from ${tableOf(schema)} where ${chosen}`,
    )
    for (const { objectId } of found) await setField(db, schema, objectId, name, value)
    await db.query(sql`
      insert into countersign.merge_changes (merge, class_name, field, "objectId", had_both)
      select ${merge.objectId}, ${schema.className}, ${name}, id, had
      from unnest(${found.map(({ objectId }) => objectId)}::text[], ${found.map(({ had }) => had)}::boolean[]) f (id, had)`)
  })
}

/** Of one object: across shards, Citus evaluates no value that reads the elements of a list. */
async function setField(db: Database, schema: ClassSchema, id: string, name: string, value: Fragment): Promise<void> {
  await db.query(sql`update ${tableOf(schema)} as o set ${sql.id(name)} = ${value} where "objectId" = ${id}`)
}

/** Undoes the change of a field of a distributed class, whose rows cannot be joined with local ones: by their ids. */
export async function undoSpread(db: Database, schema: ClassSchema, field: string, merge: Merge): Promise<void> {
  const changed = await db.query<{ objectId: string; had: boolean }>(sql`
    select "objectId", had_both as had from countersign.merge_changes
    where merge = ${merge.objectId} and class_name = ${schema.className} and field = ${field}`)
  const [from, into] = [sql`${sql.param(merge.from)}::text`, sql`${sql.param(merge.into)}::text`]
  const column = sql.id(field)
  const isList = field === '_rperm' || field === '_wperm'
  const type = isList ? 'List' : schema.fields.get(field)?.type
  for (const both of [true, false]) {
    const ids = changed.filter((row) => row.had === both).map(({ objectId }) => objectId)
    const set = (value: Fragment, condition: Fragment) =>
      changeAll(db, schema, sql`"objectId" = any(${ids}::text[]) and ${condition}`, async (page) => {
        for (const id of page) await setField(db, schema, id, field, value)
      })
    if (ids.length === 0) continue
    if (type === 'List') {
      const kept = both ? sql`o.${column}` : sql`array_remove(o.${column}, ${into})`
      await set(sql`array_append(${kept}, ${from})`, sql`${into} = any(${column})`)
    } else if (type === 'Pointer') await set(from, sql`${column} = ${into}`)
    else if (type === 'Array' && !both) {
      const holds = sql`${column} @> ${`[${pointerIn(merge.into)}]`}::jsonb`
      await set(replacePointer(sql`o.${column}`, merge.into, merge.from), holds)
    }
  }
}
