import type { WireFields, WireValue } from '@countersign/protocol'
import { fillFileUrlsIn } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findHooks, runAfter, runBefore } from '../hooks/runHooks.ts'

/** The settings that the operator keeps for the application's clients; those for the master key only with it. */
async function getParams(
  context: Context,
  { isMaster }: Caller,
): Promise<{ params: WireFields; masterKeyOnly?: { [name: string]: boolean } }> {
  const rows = await context.db.query<Row>(sql.named('get-params')`
    select name, value, master_only from countersign.config where ${isMaster} or not master_only order by name`)
  const params = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  fillFileUrlsIn(context, params)
  if (!isMaster) return { params }
  const masterKeyOnly = Object.fromEntries(rows.map((row) => [row.name, row.master_only]))
  return { params, masterKeyOnly }
}

type Settings = {
  params?: WireFields | undefined
  masterKeyOnly?: { [name: string]: boolean } | undefined
}

/** Changes the application's settings: what is named is set or deleted, everything else stays. All of it or nothing. */
async function updateParams(context: Context, caller: Caller, input: Settings): Promise<{ result: true }> {
  const { db } = context
  const handlers = findHooks(context, 'beforeSave', '@Config')
  const isHooked = handlers ?? findHooks(context, 'afterSave', '@Config')
  const original = isHooked ? (await getParams(context, caller)).params : {}
  const object = { ...original, ...input.params }
  for (const [name, value] of Object.entries(object)) if (isDelete(value)) delete object[name]
  if (handlers) await runBefore(handlers, caller, { hook: 'beforeSave', className: '@Config', object, original })
  const params = Object.entries(input.params ?? {})
  const masterKeyOnly = Object.entries(input.masterKeyOnly ?? {})
  const gone = params.filter(([, value]) => isDelete(value)).map(([name]) => name)
  const kept = params.filter(([, value]) => !isDelete(value))
  await db.transaction(async () => {
    await db.query(sql`delete from countersign.config where name = any(${gone})`)
    await db.query(sql`
      insert into countersign.config (name, value)
      select * from unnest(
        ${kept.map(([name]) => name)}::text[],
        ${kept.map(([, value]) => JSON.stringify(value))}::jsonb[])
      on conflict (name) do update set value = excluded.value`)
    await db.query(sql`
      update countersign.config c set master_only = f.flag
      from unnest(
        ${masterKeyOnly.map(([name]) => name)}::text[],
        ${masterKeyOnly.map(([, flag]) => flag)}::boolean[]) as f (name, flag)
      where c.name = f.name`)
  })
  await runAfter(context, caller, { hook: 'afterSave', className: '@Config', object, original })
  return { result: true }
}

function isDelete(value: WireValue): boolean {
  return value !== null && typeof value === 'object' && Reflect.get(value, '__op') === 'Delete'
}

type Row = { name: string; value: WireValue; master_only: boolean }

export const getConfigEndpoint = defineEndpoint('getConfig', {
  handle: ({ context, caller }) => getParams(context, caller),
})

export const updateConfigEndpoint = defineEndpoint('updateConfig', {
  handle: ({ context, caller, input }) => updateParams(context, caller, input),
})
