import { PGlite } from '@electric-sql/pglite'
import { endWithParent } from '../../work/endWithParent.ts'
import type { FromCopy, ToCopy } from './CopyMessage.ts'
import { mostRows, readRows, writeDescription, writeRows, writeTables } from './writeSql.ts'

/** Process with a database in memory, for queries on copied classes. It holds nothing else and is ended at any time. */
endWithParent(Number(process.argv[2]))
process.on('disconnect', () => process.exit(0))

const opening = PGlite.create('memory://')
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
let rest: Promise<unknown> = opening

async function run(message: ToCopy): Promise<FromCopy> {
  const database = await opening
  if (message.kind === 'begin') {
    const columnsOf = ({ columns }: (typeof message.tables)[number]) =>
      columns.map(({ name, type }) => `${quote(name)} ${type}${type === 'text' ? ' collate "C"' : ''}`).join(', ')
    const made = message.tables.map((table) => `create table public.${quote(table.name)} (${columnsOf(table)});`)
    await database.exec(`drop schema if exists public cascade; create schema public; ${made.join('\n')}`)
    return { kind: 'done' }
  }
  if (message.kind === 'rows') {
    const table = `public.${quote(message.table)}`
    await database.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      message.rows,
    ])
    return { kind: 'done' }
  }
  const query = { text: message.text, tables: [] }
  const prefix = writeTables(message.tables)
  await database.exec('analyze; set search_path = pg_catalog')
  const { fields } = await database.query(writeDescription(prefix, query), [0])
  const { rows } = await database.query<{ j: string | null }>(writeRows(prefix, query, fields), [mostRows + 1])
  return { kind: 'done', result: readRows(fields, rows) }
}

process.on('message', (message: ToCopy) => {
  rest = rest
    .then(() => run(message))
    .catch(
      (error: { message?: unknown; code?: unknown }): FromCopy => ({
        kind: 'failed',
        message: String(error.message).slice(0, 1_000),
        ...(typeof error.code === 'string' && { code: error.code }),
      }),
    )
    .then((answer) => process.send?.(answer))
})
