import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'

type Settings = {
  params?: WireFields | undefined
  masterKeyOnly?: { [name: string]: boolean } | undefined
}

/** Changes the application's settings: what is named is set or deleted, everything else stays. All of it or nothing. */
export async function updateParams({ db }: Context, input: Settings): Promise<{ result: true }> {
  const params = Object.entries(input.params ?? {})
  const masterKeyOnly = Object.entries(input.masterKeyOnly ?? {})
  const gone = params.filter(([, value]) => isDelete(value)).map(([name]) => name)
  const kept = params.filter(([, value]) => !isDelete(value))
  await db.transaction(async () => {
    await db.query({ text: 'delete from countersign.config where name = any($1)', values: [gone] })
    await db.query({
      text: `insert into countersign.config (name, value) select * from unnest($1::text[], $2::jsonb[])
             on conflict (name) do update set value = excluded.value`,
      values: [kept.map(([name]) => name), kept.map(([, value]) => JSON.stringify(value))],
    })
    await db.query({
      text: `update countersign.config c set master_only = f.flag from unnest($1::text[], $2::boolean[]) as f (name, flag)
             where c.name = f.name`,
      values: [masterKeyOnly.map(([name]) => name), masterKeyOnly.map(([, flag]) => flag)],
    })
  })
  return { result: true }
}

function isDelete(value: WireValue): boolean {
  return value !== null && typeof value === 'object' && Reflect.get(value, '__op') === 'Delete'
}
