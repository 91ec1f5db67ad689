import { longest } from '@countersign/protocol'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import type { ImportedRow } from './encodeRow.ts'
import type { Notes } from './notes.ts'
import type { ImportedObject } from './readDocument.ts'

/*
 * One policy for every import: a dump adds rows, and never reaches an account, role or object that was there. Sign-in
 * methods, sessions, devices and links go only to rows that this import inserted, and never to operators. A dump could
 * otherwise name the id of an administrator and bring a session for it.
 */

/** Days that an interrupted import may go on. After them its accounts have been used: they are accounts like any other. */
const longestImport = 30

/** The ids among these whose rows this import inserted. Operators are never among them. */
export async function findOwnRows(
  db: Database,
  source: string,
  className: string,
  ids: Iterable<string>,
): Promise<Set<string>> {
  const listed = [...new Set(ids)]
  if (listed.length === 0) return new Set()
  const rows = await db.query<{ id: string }>(sql`
    select i.id from countersign.import_rows i
    where i.source = ${source} and i.class = ${className} and i.id = any(${listed}::text[])
      and i.at > now() - make_interval(days => ${longestImport}::integer)
      and (i.class <> '_User' or not exists (select from countersign.operators o where o."user" = i.id))`)
  return new Set(rows.map(({ id }) => id))
}

/** The import is over: what it inserted belongs to its users now. */
export async function forgetOwnRows(db: Database, source: string): Promise<void> {
  await db.query(sql`delete from countersign.import_rows where source = ${source}`)
}

/** Items of accounts that this import made; the others are counted under the sentence. */
export async function keepOwn<Item>(
  db: Database,
  source: string,
  items: Item[],
  ownerOf: (item: Item) => string,
  leave: (item: Item) => void,
): Promise<Item[]> {
  const own = await findOwnRows(db, source, '_User', items.map(ownerOf))
  return items.filter((item) => {
    if (own.has(ownerOf(item))) return true
    leave(item)
    return false
  })
}

const roleName = /^(?! )[0-9a-zA-Z_\- ]+(?<! )$/

/**
 * Roles have the same limits as a client's: a name that gave rights is not reused, and an access list says who may
 * join.
 */
export async function keepRoles(db: Database, rows: ImportedRow[], notes: Notes): Promise<ImportedRow[]> {
  const names = rows.map((row) => row.name).filter((name) => typeof name === 'string')
  const retired = await db.query<{ name: string }>(
    sql`select name from countersign.retired_roles where name = any(${names}::text[])`,
  )
  const gone = new Set(retired.map(({ name }) => name))
  return rows.filter((row) => {
    const { name } = row
    if (typeof name !== 'string' || name.length > longest.role || !roleName.test(name)) {
      notes.refuse('Some roles have an invalid name.')
      return false
    }
    if (gone.has(name)) {
      notes.refuse(
        'Some roles have the name of a role that was deleted here. They were not imported, because access lists may still contain it.',
      )
      return false
    }
    if (row._wperm === null) {
      notes.add('Some roles had no access list. Only the master key can change them.', row.objectId)
      row._rperm = ['*']
      row._wperm = []
    }
    return true
  })
}

/** Devices keep their user where this import made the account: pushes to a user go to the devices that name the user. */
export async function keepDevices(
  db: Database,
  source: string,
  rows: ImportedRow[],
  notes: Notes,
): Promise<ImportedRow[]> {
  const userOf = ({ user }: ImportedRow) => (typeof user === 'string' ? user : '')
  const own = await findOwnRows(db, source, '_User', rows.map(userOf))
  for (const row of rows) {
    if (userOf(row) === '' || own.has(userOf(row))) continue
    notes.add(
      'Some devices refer to an account that is not part of this import; they were imported without it.',
      row.objectId,
    )
    row.user = null
  }
  const textOf = (name: string) => rows.map((row) => row[name]).filter((value) => typeof value === 'string')
  const present = await db.query<{ objectId: string; installationId: string | null; deviceToken: string | null }>(sql`
    select "objectId", "installationId", "deviceToken" from public."_Installation"
    where "installationId" = any(${textOf('installationId')}::text[])
      or "deviceToken" = any(${textOf('deviceToken')}::text[])`)
  const holders = new Map<unknown, string>()
  for (const { objectId, installationId, deviceToken } of present) {
    for (const id of [installationId, deviceToken]) if (id !== null) holders.set(id, objectId)
  }
  return rows.filter((row) => {
    const ids = [row.installationId, row.deviceToken].filter((id) => typeof id === 'string')
    const isTaken = ids.some((id) => (holders.get(id) ?? row.objectId) !== row.objectId)
    const isLong = ids.some((id) => id.length > longest.deviceToken)
    if (isTaken) notes.refuse('Some devices already exist with another ID.')
    else if (isLong) notes.refuse('Some devices have an ID that is too long.')
    if (isTaken || isLong) return false
    for (const id of ids) holders.set(id, row.objectId)
    return true
  })
}

/** Origin of an imported session. It opens nothing that needs a recent proof, and never the console. */
export const importedSession = { action: 'login', authProvider: 'import' } as const

/** Latest time that a session of a dump may last until, as one that was opened now. */
export function boundExpiry(expires: string, sessionLength: number): string | undefined {
  const time = Date.parse(expires)
  if (!(time > Date.now())) return undefined
  return new Date(Math.min(time, Date.now() + sessionLength * 1000)).toISOString()
}

export function installationOf(fields: Map<string, ImportedObject['fields'][number][1]>): string | null {
  const id = fields.get('installationId')
  return typeof id === 'string' && id.length <= longest.installationId ? id : null
}
