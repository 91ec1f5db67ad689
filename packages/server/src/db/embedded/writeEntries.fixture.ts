import { writeSync } from 'node:fs'
import { openDatabase } from '../openDatabase.ts'
import { sql } from '../sql.ts'

const db = await openDatabase({ dataFolder: process.argv[2] as string })
await db.query(sql`create table if not exists entries (id int primary key)`)
const [last] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from entries`)

for (let id = (last?.id ?? 0) + 1; ; id++) {
  await db.query(sql.named('add')`insert into entries values (${id})`)
  writeSync(1, `${id}\n`)
}
