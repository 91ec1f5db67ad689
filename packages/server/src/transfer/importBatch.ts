import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { joinTableName } from '../classes/names.ts'
import { findLayout } from '../classes/partitions/Layout.ts'
import { withLog } from '../classes/partitions/logWrites.ts'
import { addMonthsOf } from '../classes/partitions/writeTable.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { hashToken } from '../keys/secrets.ts'
import { encodeRow, type ImportedRow, newFields } from './encodeRow.ts'
import { type FilePlan, type NamedFile, planFiles } from './importFiles.ts'
import {
  boundExpiry,
  findOwnRows,
  importedSession,
  installationOf,
  keepDevices,
  keepOwn,
  keepRoles,
} from './importPolicy.ts'
import { type Counts, type ImportReport, mergeNotes, saveNotes } from './importProgress.ts'
import { type InsertOptions, insertRows, type RowColumn } from './insertRows.ts'
import { createNotes, type Notes } from './notes.ts'
import { type ImportedObject, readDocument } from './readDocument.ts'
import { type ImportedUser, readAddressRow, readUser, settleNames, userColumns, type WalletClaim } from './readUser.ts'
import { type Source, type SourceDocument, TransferError, type Unit } from './Source.ts'
import type { Target } from './Target.ts'

export type BatchWork = {
  db: Database | undefined
  source: Source
  files: FilePlan
  target: Target
  report: ImportReport
  config: Pick<Config, 'sessionLength'>
  /** Classes that links may belong to: their inserted objects are recorded. */
  linked: ReadonlySet<string>
}

type Write = (counts: Counts) => Promise<void>

/** Reads the documents of a batch; the returned function writes them. */
export async function prepareBatch(work: BatchWork, unit: Unit, batch: SourceDocument[]): Promise<Write> {
  const { target } = unit
  const notes = createNotes()
  if (target.as === 'relation') return prepareLinks(work, unit, batch, notes)
  const className = target.as === 'objects' ? target.className : unit.name
  const known = target.as === 'objects' ? work.target.find(className) : undefined
  const objects: ImportedObject[] = []
  for (const document of batch) {
    const object = readDocument(className, known, document, notes.add)
    if (typeof object === 'string') notes.refuse(object)
    else objects.push(object)
  }
  if (target.as === 'addresses') {
    const claims = objects.flatMap((object) => readAddressRow(target.namespace, object) ?? [])
    return commit(work, unit, batch, notes, (db) => writeClaims(db, work.source.identity, claims))
  }
  const missing = newFields(known, objects)
  const grows = known === undefined || missing.fields.size > 0 || missing.relations.size > 0
  const schema = grows ? await work.target.widen(className, missing, notes.add) : known
  const rows = objects.map((object) => encodeRow(schema, object, notes.add))
  const files = planFiles(work.files, rows, schema)
  if (className === '_User') {
    const users = rows.map((row, index) => readUser(row, objects[index] as ImportedObject, notes.add))
    return commit(work, unit, batch, notes, async (db) => {
      await writeFileNames(db, work.source.identity, files)
      return writeUsers(db, work.source.identity, schema, users, notes)
    })
  }
  if (className === '_Session') return prepareSessions(work, unit, batch, objects, notes)
  const options: InsertOptions = {
    table: tableOf(schema),
    columns: columnsOf(schema),
    key: ['objectId'],
    mark: work.linked.has(className) ? { source: work.source.identity, className } : undefined,
  }
  return commit(work, unit, batch, notes, async (db) => {
    await writeFileNames(db, work.source.identity, files)
    if ((await findLayout(db, className))?.by === 'month') {
      await addMonthsOf(db, className, [...new Set(rows.map(({ createdAt }) => createdAt))])
      options.withoutIndex = true
    }
    const allowed = await keepAllowed(db, work.source.identity, className, rows, notes)
    const ids = allowed.map(({ objectId }) => String(objectId))
    return withLog(db, schema, { ids, isNew: true }, () => insertNoted(db, allowed, options, notes))
  })
}

async function keepAllowed(db: Database, source: string, className: string, rows: ImportedRow[], notes: Notes) {
  if (className === '_Role') return keepRoles(db, rows, notes)
  return className === '_Installation' ? keepDevices(db, source, rows, notes) : rows
}

function columnsOf(schema: ClassSchema): RowColumn[] {
  return [
    ['objectId', 'text'],
    ['createdAt', 'timestamptz'],
    ['updatedAt', 'timestamptz'],
    ['_rperm', 'text[]'],
    ['_wperm', 'text[]'],
    ['_nulls', 'text[]'],
    ...[...schema.fields].map(([name, { type }]): RowColumn => [name, columns[type].type]),
  ]
}

type Outcome = { written: number; refused: number }

async function insertNoted(
  db: Database,
  rows: Record<string, unknown>[],
  options: InsertOptions,
  notes: Notes,
): Promise<Outcome> {
  const { written, refused, cleaned } = await insertRows(db, rows, options)
  for (const { row, error } of refused) {
    notes.add(`The database rejected some objects: ${error.message}`, String(row.objectId ?? row.owningId))
  }
  if (cleaned > 0) notes.add('Some texts contained characters that cannot be stored; those were replaced.')
  return { written, refused: refused.length }
}

/** One transaction: the objects, how far the source was read, and what is to be reported. */
function commit(
  { db, source, report }: BatchWork,
  unit: Unit,
  batch: SourceDocument[],
  notes: Notes,
  write: (db: Database) => Promise<Outcome>,
): Write {
  return async (counts) => {
    const outcome = db
      ? await db.transaction(async () => {
          await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
          // Rows and place are lost together, or not at all; the end of a unit waits for the disk.
          if (db.kind === 'postgres') await db.query(sql`set local synchronous_commit = off`)
          const { written, refused } = await write(db)
          const { refused: unread } = notes
          const present = batch.length - unread - written - refused
          await db.query(sql`
            update countersign.imports set
              position = ${batch.at(-1)?.position ?? null}, read = read + ${batch.length},
              written = written + ${written}, present = present + ${present}, refused = refused + ${refused + unread}
            where source = ${source.identity} and unit = ${unit.name}`)
          await saveNotes(db, source.identity, unit.name, notes)
          return { written, refused: refused + unread, present }
        })
      : { written: batch.length - notes.refused, refused: notes.refused, present: 0 }
    if (!db) report.notes = mergeNotes(report.notes, unit.name, notes)
    counts.read += batch.length
    counts.written += outcome.written
    counts.present += outcome.present
    counts.refused += outcome.refused
  }
}

async function writeUsers(
  db: Database,
  source: string,
  schema: ClassSchema,
  users: ImportedUser[],
  notes: Notes,
): Promise<Outcome> {
  const rows = users.map(({ row }) => row)
  await settleNames(db, rows, notes.add)
  const own = new Set([...userColumns.map(([name]) => name), 'accounts', 'ethAddress', 'solAccounts', 'solAddress'])
  const outcome = await insertNoted(
    db,
    rows,
    {
      table: sql`public."_User"`,
      columns: [...columnsOf(schema).filter(([name]) => !own.has(name)), ...userColumns],
      key: ['objectId'],
      mark: { source, className: '_User' },
    },
    notes,
  )
  await writeClaims(
    db,
    source,
    users.flatMap(({ claims }) => claims),
  )
  const identities = await keepOwn(
    db,
    source,
    users.flatMap((user) => user.identities),
    ({ user }) => user,
    ({ user }) => notes.add('Some sign-in methods belong to an account that is not part of this import.', user),
  )
  await insertRows(db, identities, {
    table: sql`countersign.identities`,
    columns: [
      ['provider', 'text'],
      ['id', 'text'],
      ['user', 'text'],
    ],
    key: ['provider', 'id'],
  })
  return outcome
}

async function writeClaims(db: Database, source: string, claims: WalletClaim[]): Promise<Outcome> {
  if (claims.length === 0) return { written: 0, refused: 0 }
  const best = new Map<string, WalletClaim>()
  for (const claim of claims) {
    const id = `${claim.key} ${claim.user}`
    if ((best.get(id)?.strength ?? 0) < claim.strength) best.set(id, claim)
  }
  const [answer] = await db.query<{ count: number }>(
    sql`
      with put as (
        insert into countersign.import_claims as known (source, key, "user", namespace, address, strength, linked)
        select ${source}, key, "user", namespace, address, strength, linked
        from json_to_recordset(${JSON.stringify([...best.values()])}::json)
          as r (key text, "user" text, namespace text, address text, strength smallint, linked timestamptz)
        on conflict (source, key, "user") do update set strength = greatest(known.strength, excluded.strength)
        returning 1
      ) select count(*)::integer as count from put`,
  )
  return { written: answer?.count ?? 0, refused: 0 }
}

async function writeFileNames(db: Database, source: string, files: NamedFile[]): Promise<void> {
  if (files.length === 0) return
  await db.query(
    sql`
      insert into countersign.import_files (source, name, origin, url)
      select ${source}, name, origin, url
      from json_to_recordset(${JSON.stringify(files)}::json) as r (name text, origin text, url text)
      on conflict do nothing`,
  )
}

/** Sessions stay open where the client's token came along. None is confirmed: nothing here has seen its user. */
function prepareSessions(
  work: BatchWork,
  unit: Unit,
  batch: SourceDocument[],
  objects: ImportedObject[],
  notes: Notes,
): Write {
  const rows = objects.flatMap((object) => {
    const fields = new Map(object.fields)
    const token = object.own.get('_session_token') ?? object.own.get('sessionToken')
    const user: unknown = Reflect.get(Object(fields.get('user')), 'objectId')
    const said: unknown = Reflect.get(Object(fields.get('expiresAt')), 'iso')
    const expiresAt = typeof said === 'string' ? boundExpiry(said, work.config.sessionLength) : undefined
    // A short token could be guessed.
    const isToken = typeof token === 'string' && /^r:[0-9A-Za-z]{20,100}$/.test(token)
    if (!isToken || typeof user !== 'string' || expiresAt === undefined) {
      notes.refuse('Some sessions have expired or can’t be imported.')
      return []
    }
    return [
      {
        objectId: object.objectId,
        createdAt: object.createdAt,
        updatedAt: object.updatedAt,
        _token_hash: `\\x${hashToken(token).toString('hex')}`,
        user,
        expiresAt,
        createdWith: importedSession,
        installationId: installationOf(fields),
        _confirmed: new Date(0).toISOString(),
      },
    ]
  })
  const options: InsertOptions = {
    table: sql`public."_Session"`,
    columns: [
      ['objectId', 'text'],
      ['createdAt', 'timestamptz'],
      ['updatedAt', 'timestamptz'],
      ['_token_hash', 'bytea'],
      ['user', 'text'],
      ['expiresAt', 'timestamptz'],
      ['createdWith', 'jsonb'],
      ['installationId', 'text'],
      ['_confirmed', 'timestamptz'],
    ],
    key: ['objectId'],
  }
  return commit(work, unit, batch, notes, async (db) => {
    const leave = () => notes.refuse('Some sessions belong to an account that is not part of this import.')
    const own = await keepOwn(db, work.source.identity, rows, ({ user }) => user, leave)
    return insertNoted(db, own, options, notes)
  })
}

function prepareLinks(work: BatchWork, unit: Unit, batch: SourceDocument[], notes: Notes): Write {
  if (unit.target.as !== 'relation') throw new TransferError('This unit has no links.')
  const { className, field } = unit.target
  const relation = work.target.find(className)?.relations.get(field)
  const rows = batch.flatMap(({ fields }) => {
    const { owningId, relatedId } = fields ?? {}
    if (
      typeof owningId === 'string' &&
      typeof relatedId === 'string' &&
      owningId.length <= 255 &&
      relatedId.length <= 255
    )
      return [{ owningId, relatedId }]
    notes.refuse('Some relations could not be read.')
    return []
  })
  if (relation === undefined && work.db) {
    for (const _ of rows) notes.refuse(`${className}.${field} is not a relation of an imported class.`)
    return commit(work, unit, batch, notes, async () => ({ written: 0, refused: 0 }))
  }
  const options: InsertOptions = {
    table: sql`public.${sql.id(joinTableName(className, field))}`,
    columns: [
      ['owningId', 'text'],
      ['relatedId', 'text'],
    ],
    key: ['owningId', 'relatedId'],
  }
  return commit(work, unit, batch, notes, async (db) => {
    const find = (name: string, ids: string[]) => findOwnRows(db, work.source.identity, name, ids)
    const owners = await find(
      className,
      rows.map(({ owningId }) => owningId),
    )
    // A role reaches its members: both ends must be of this import.
    const members =
      className === '_Role' && relation !== undefined
        ? await find(
            relation,
            rows.map(({ relatedId }) => relatedId),
          )
        : undefined
    const own = rows.filter(({ owningId, relatedId }) => {
      if (owners.has(owningId) && (members?.has(relatedId) ?? true)) return true
      notes.refuse('Some relations refer to an account, role or object that is not part of this import.')
      return false
    })
    return insertNoted(db, own, options, notes)
  })
}
