import type { ClassSchema } from '../classes/ClassSchema.ts'
import { joinTableName } from '../classes/joinTableName.ts'
import type { Context } from '../context/Context.ts'
import { quote, tableOf } from '../db/createBindings.ts'
import { pointerIn, pointsTo } from './pointerIn.ts'

type Merge = { objectId: string; from: string; into: string }

/** Undoes what `handOverObjects` changed, where it still is as that left it. */
export async function handBackObjects(context: Context, merge: Merge): Promise<void> {
  const { db, classes, roleCache } = context
  const changed = await db.query<{ class_name: string; field: string }>({
    text: 'select distinct class_name, field from countersign.merge_changes where merge = $1',
    values: [merge.objectId],
  })
  for (const { class_name, field } of changed) {
    const schema = classes.find(class_name)
    const text = schema && writeUndo(schema, field)
    if (!text) continue
    const { values, ...rest } = text
    await db.query({
      ...rest,
      values: [merge.objectId, class_name, field, merge.from, merge.into, ...values(merge)],
    })
  }
  await db.query({ text: 'delete from countersign.merge_changes where merge = $1', values: [merge.objectId] })
  db.afterCommit(() => roleCache.forgetAll())
}

type Undo = { text: string; values: (merge: Merge) => unknown[] }

const none = () => []
const noted = (more = '') =>
  `select "objectId" from countersign.merge_changes where merge = $1 and class_name = $2 and field = $3 ${more}`

function writeUndo(schema: ClassSchema, field: string): Undo | undefined {
  const table = tableOf(schema.className)
  if (field === '_rperm' || field === '_wperm') {
    const list = `o."${field}"`
    return {
      text: `update ${table} as o set "${field}" =
               array_append(case when c.had_both then ${list} else array_remove(${list}, $5::text) end, $4::text)
             from countersign.merge_changes c
             where c.merge = $1 and c.class_name = $2 and c.field = $3 and o."objectId" = c."objectId" and $5::text = any(${list})`,
      values: none,
    }
  }
  const own = field.endsWith(' of its own')
  const name = own ? field.slice(0, -' of its own'.length) : field
  if (schema.relations.has(name)) return undoRelation(tableOf(joinTableName(schema.className, name)), own)
  const column = quote(name)
  const type = schema.fields.get(name)?.type
  if (type === 'Pointer') {
    return {
      text: `update ${table} set ${column} = $4::text where ${column} = $5::text and "objectId" in (${noted()})`,
      values: none,
    }
  }
  if (type !== 'Array') return undefined
  // Where the list held both, nobody knows any more which entry was whose.
  return {
    text: `update ${table} as o set ${column} = (
             select jsonb_agg(case when ${pointsTo('item', '$6')} then jsonb_set(item, '{objectId}', to_jsonb($4::text)) else item end order by place)
             from jsonb_array_elements(o.${column}) with ordinality as items (item, place))
           where "objectId" in (${noted('and not had_both')}) and ${column} @> jsonb_build_array($6::jsonb) and $5::text is not null`,
    values: ({ into }) => [pointerIn(into)],
  }
}

/** An entry that was taken out meanwhile stays out. */
function undoRelation(join: string, isOwn: boolean): Undo {
  const [own, other] = isOwn ? ['"owningId"', '"relatedId"'] : ['"relatedId"', '"owningId"']
  return {
    text: `with present as (select ${other} as id from ${join} where ${own} = $5::text and ${other} in (${noted()})),
             gone as (delete from ${join} where ${own} = $5::text and ${other} in (${noted('and not had_both')}))
           insert into ${join} (${own}, ${other}) select $4::text, id from present on conflict do nothing`,
    values: none,
  }
}
