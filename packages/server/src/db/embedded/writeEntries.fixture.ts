import { writeSync } from 'node:fs'
import { openDatabase } from '../openDatabase.ts'

const db = await openDatabase({ dataFolder: process.argv[2] as string })
await db.query({ text: 'create table if not exists entries (id int primary key)' })
const [last] = await db.query<{ id: number }>({ text: 'select coalesce(max(id), 0) as id from entries' })

for (let id = (last?.id ?? 0) + 1; ; id++) {
  await db.query({ name: 'add', text: 'insert into entries values ($1)', values: [id] })
  writeSync(1, `${id}\n`)
}
