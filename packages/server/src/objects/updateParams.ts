import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'

const paramName = /^[A-Za-z][A-Za-z0-9_]{0,99}$/

/** Changes the application's settings: what is named is set or deleted, everything else stays. All of it or nothing. */
export async function updateParams({ db }: Context, input: WireFields): Promise<{ result: true }> {
  const params = readNames('params', input.params)
  const masterKeyOnly = readNames('masterKeyOnly', input.masterKeyOnly)
  for (const [name, value] of masterKeyOnly) {
    if (typeof value !== 'boolean') {
      throw new CountersignError('InvalidJson', `masterKeyOnly of ${name} must be true or false.`)
    }
  }
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

function readNames(what: string, value: WireValue | undefined): [string, WireValue][] {
  if (value === undefined) return []
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new CountersignError('InvalidJson', `${what} must be an object.`)
  }
  const entries = Object.entries(value) as [string, WireValue][]
  const wrong = entries.find(([name]) => !paramName.test(name))
  if (wrong) throw new CountersignError('InvalidKeyName', `Invalid name of a setting: ${wrong[0].slice(0, 100)}.`)
  return entries
}

function isDelete(value: WireValue): boolean {
  return value !== null && typeof value === 'object' && Reflect.get(value, '__op') === 'Delete'
}
