import { CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { joinTableName } from '../classes/joinTableName.ts'
import type { Context } from '../context/Context.ts'
import { quote, tableOf } from '../db/createBindings.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { pointerIn, pointsTo } from './pointerIn.ts'

type Merge = { objectId: string; from: string; into: string }

/**
 * Hands what names one account to another: access lists, pointers, relations and with them roles, in every class. What
 * was changed is written down, so that an undo changes just that. To be called in the transaction of the merge.
 */
export async function handOverObjects(context: Context, merge: Merge): Promise<void> {
  // What a gate gave goes with the wallets: handed over like the rest it would look made by hand, and stay for ever.
  await context.db.query({
    text: 'delete from "_Join:users:_Role" where "relatedId" = $1 and "_gated"',
    values: [merge.from],
  })
  for (const schema of context.classes.list()) {
    // Sessions end; they are not handed over.
    if (schema.className === '_Session') continue
    try {
      await handOver(context, schema, merge)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw new CountersignError(
        'DuplicateValue',
        `Both accounts have an object of ${schema.className} of which a user may have only one. Delete one of them first.`,
        { status: 409, cause: error },
      )
    }
  }
  context.db.afterCommit(() => context.roleCache.forgetAll())
}

async function handOver({ db }: Context, schema: ClassSchema, { objectId, from, into }: Merge): Promise<void> {
  const { className } = schema
  const table = tableOf(className)
  // The account itself goes, and comes back by an undo as it was.
  const others = className === '_User' ? 'and "objectId" <> $4::text' : ''
  const run = (field: string, changed: string, values: unknown[] = []) =>
    db.query({
      text: `with ${changed} insert into countersign.merge_changes (merge, class_name, field, "objectId", had_both)
             select $1, $2, $3, "objectId", had_both from changed`,
      values: [objectId, className, field, from, into, ...values],
    })

  for (const list of ['"_rperm"', '"_wperm"']) {
    await run(
      list.slice(1, -1),
      `changed as (
         update ${table} as o set ${list} = case when $5::text = any(o.${list}) then array_remove(o.${list}, $4::text)
           else array_replace(o.${list}, $4::text, $5::text) end
         from (select "objectId", $5::text = any(${list}) as had_both from ${table}
               where ${list} @> array[$4::text] ${others} for update) as before
         where o."objectId" = before."objectId" returning o."objectId", before.had_both)`,
    )
  }
  for (const [name, field] of schema.fields) {
    const column = quote(name)
    if (field.type === 'Pointer' && field.targetClass === '_User') {
      await run(
        name,
        `changed as (update ${table} set ${column} = $5::text where ${column} = $4::text ${others}
           returning "objectId", false as had_both)`,
      )
    } else if (field.type === 'Array') {
      await run(
        name,
        `changed as (
           update ${table} as o set ${column} = (
             select jsonb_agg(case when ${pointsTo('item', '$6')} then jsonb_set(item, '{objectId}', to_jsonb($5::text)) else item end order by place)
             from jsonb_array_elements(o.${column}) with ordinality as items (item, place))
           from (select "objectId", ${column} @> $7::jsonb as had_both from ${table}
                 where ${column} @> $8::jsonb and $4::text is not null ${others} for update) as before
           where o."objectId" = before."objectId" returning o."objectId", before.had_both)`,
        [pointerIn(from), `[${pointerIn(into)}]`, `[${pointerIn(from)}]`],
      )
    }
  }
  for (const [name, targetClass] of schema.relations) {
    const join = tableOf(joinTableName(className, name))
    // What leads to the account, and what leads away from it.
    if (targetClass === '_User') await run(name, moved(join, 'relatedId', 'owningId'))
    if (className === '_User') await run(`${name} of its own`, moved(join, 'owningId', 'relatedId'))
  }
}

function moved(join: string, own: string, other: string): string {
  return `gone as (delete from ${join} where "${own}" = $4::text returning "${other}"),
    added as (insert into ${join} ("${own}", "${other}") select $5::text, "${other}" from gone on conflict do nothing
      returning "${other}"),
    changed as (select gone."${other}" as "objectId", added."${other}" is null as had_both
      from gone left join added on added."${other}" = gone."${other}")`
}
