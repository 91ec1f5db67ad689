import type { ClassPermissions, WireFields, WireValue } from '@countersign/protocol'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { defaultFieldNames, isClassName, joinTableName } from '../classes/names.ts'
import { fieldsOf } from '../classes/schema/encodeSchema.ts'
import { readField, readIndex, userIdPattern } from '../classes/schema/planFields.ts'
import { readPermissions } from '../classes/schema/planSchema.ts'
import type { Config } from '../config/Config.ts'
import { hashToken } from '../context/secrets.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { encodeRow, newFields } from './encodeRow.ts'
import { type FilePlan, fetchFiles, type NamedFile, planFiles } from './importFiles.ts'
import { type InsertOptions, insertRows, type RowColumn } from './insertRows.ts'
import { createNotes, type Notes } from './notes.ts'
import { type ImportedObject, readDocument } from './readDocument.ts'
import { type ImportedUser, readAddressRow, readUser, settleNames, userColumns, type WalletClaim } from './readUser.ts'
import { type Source, type SourceClass, type SourceDocument, TransferError, type Unit } from './Source.ts'
import { settleWallets } from './settleWallets.ts'
import { draftTarget, openTarget, type Target } from './Target.ts'

export type Counts = { read: number; written: number; present: number; refused: number }

export type ImportReport = {
  units: (Counts & { name: string })[]
  notes: { unit: string; sentence: string; count: number; example?: string }[]
  wallets: { linked: number; contested: number; taken: number }
  files: { fetched: number; present: number; missing: number }
  leftOut: string[]
}

export type ImportOptions = {
  /** Without one nothing is written: a dry run. */
  db: Database | undefined
  config: Config
  source: Source
  /** Reads every unit from its beginning, whatever an earlier run has done. */
  restart?: boolean
  /** Whether only wallets are taken that the older server saw a signature of. */
  provenWalletsOnly?: boolean
  sessions?: boolean
  files: FilePlan
  progress?: (unit: string, counts: Counts) => void
}

/** Objects of one transaction: enough that its cost does not count, and few enough that memory stays flat. */
const batchObjects = 2_000
const batchBytes = 8 * 1024 * 1024

type Work = ImportOptions & { target: Target; report: ImportReport }

/**
 * Brings the objects of another server over, with their ids, times and access lists. Each batch and the place that it
 * was read to are one transaction: an import that was killed goes on there, and nothing is doubled. Hooks do not run,
 * and live queries and webhooks hear nothing.
 */
export async function importData(options: ImportOptions): Promise<ImportReport> {
  const { db, source } = options
  const target = db ? await openTarget(db) : draftTarget()
  const report: ImportReport = {
    units: [],
    notes: [],
    wallets: { linked: 0, contested: 0, taken: 0 },
    files: { fetched: 0, present: 0, missing: 0 },
    leftOut: source.leftOut,
  }
  const work: Work = { ...options, target, report }
  try {
    if (db) await noteAudit(db, 'import.begin', source.identity)
    if (db && options.restart) await forget(db, source.identity)
    const classes = await source.classes()
    const structure = createNotes()
    await prepareClasses(work, classes, structure)
    for (const unit of await source.units(classes)) await importUnit(work, unit)
    if (db) report.wallets = await settleWallets(db, source.identity, options.provenWalletsOnly ?? false)
    await addIndexes(work, classes, structure)
    if (db) report.files = await fetchFiles({ db, config: options.config }, source, options.files)
    await tell(work, '', structure)
    report.notes = db ? await listNotes(db, source.identity) : report.notes
    if (db) {
      const written = report.units.map(({ name, written }) => [name, written])
      await noteAudit(db, 'import.end', source.identity, { written: Object.fromEntries(written.slice(0, 200)) })
    }
    return report
  } finally {
    await target.close()
    await source.close?.()
  }
}

/** Whose data came, when, and how much of it. One that was killed has a beginning and no end. */
async function noteAudit(db: Database, action: string, subject: string, details: object = {}): Promise<void> {
  await db.query(sql`
    insert into countersign.audit (at, actor, action, subject, details)
    values (now(), 'operator', ${action}, ${subject.slice(0, 200)}, ${JSON.stringify(details)}::jsonb)`)
}

/** The classes as the source has them. What a class allows comes before its objects: none is ever open by mistake. */
async function prepareClasses({ target }: Work, classes: SourceClass[], notes: Notes): Promise<void> {
  for (const { className, fields, permissions } of classes) {
    if (!isClassName(className)) continue
    const wanted = { fields: new Map<string, FieldType>(), relations: new Map<string, string>() }
    const present = target.find(className)
    for (const [name, definition] of Object.entries(fields)) {
      if (defaultFieldNames.has(name) || present?.fields.has(name) || present?.relations.has(name)) continue
      if (isOwn(className, name)) continue
      try {
        const read = readField(className, name, definition)
        if (read.kind === 'relation') wanted.relations.set(name, read.targetClass)
        else wanted.fields.set(name, read.field)
      } catch (error) {
        notes.add(`${className}.${name.slice(0, 80)} was left out: ${(error as Error).message}`)
      }
    }
    const schema = await target.widen(className, wanted, notes.add)
    if (permissions !== undefined && permissions !== null) {
      await target.setPermissions(className, keepPermissions(schema, permissions, notes), notes.add)
    }
  }
}

function isOwn(className: string, name: string): boolean {
  if (name.startsWith('_')) return true
  return (className === '_User' && ['password', 'authData', 'sessionToken'].includes(name)) || name === 'sessionToken'
}

/** What is not understood is closed, never open. */
function keepPermissions(schema: ClassSchema, permissions: WireValue, notes: Notes): ClassPermissions {
  const plain = dropFalse(permissions)
  try {
    return readPermissions(fieldsOf(schema), userIdPattern({ allowCustomObjectId: true }), plain)
  } catch (error) {
    notes.add(
      `The permissions of ${schema.className} could not be read (${(error as Error).message}): only the master key may use it until you set them.`,
    )
    return { find: {}, get: {}, count: {}, create: {}, update: {}, delete: {}, addField: {} }
  }
}

/** Older servers write `false`. */
function dropFalse(permissions: WireValue): WireValue {
  if (permissions === null || typeof permissions !== 'object' || Array.isArray(permissions)) return permissions
  return Object.fromEntries(
    Object.entries(permissions as WireFields).map(([key, entry]) => {
      if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return [key, entry]
      return [key, Object.fromEntries(Object.entries(entry as WireFields).filter(([, permit]) => permit !== false))]
    }),
  )
}

async function addIndexes({ target, db }: Work, classes: SourceClass[], notes: Notes): Promise<void> {
  if (!db) return
  for (const { className, indexes } of classes) {
    if (className.startsWith('_') || !isClassName(className)) continue
    for (const [name, definition] of Object.entries(indexes ?? {})) {
      const plain = name.replaceAll(/\W/g, '_').slice(0, 63)
      try {
        await target.addIndex(className, plain, readIndex(plain, definition), notes.add)
      } catch (error) {
        notes.add(`The index ${plain} of ${className} was left out: ${(error as Error).message}`)
      }
    }
  }
}

async function importUnit(work: Work, unit: Unit): Promise<void> {
  const { db, source, report, sessions = true } = work
  const { target } = unit
  if (target.as === 'objects' && !isClassName(target.className)) {
    report.leftOut.push(`${target.className} is not imported: a class cannot have this name here.`)
    return
  }
  if (target.as === 'objects' && target.className === '_Session' && !sessions) return
  const state = db ? await begin(db, source.identity, unit) : undefined
  const counts: Counts = state?.counts ?? { read: 0, written: 0, present: 0, refused: 0 }
  report.units.push(Object.assign(counts, { name: unit.name }))
  if (state?.isFinished) return
  // The next batch is read while the database writes the one before.
  let writing: Promise<void> = Promise.resolve()
  writing.catch(() => {})
  for await (const batch of inBatches(unit.read(state?.position))) {
    const prepared = prepare(work, unit, batch)
    prepared.catch(() => {})
    await writing
    writing = prepared.then((write) => write(counts))
    writing.catch(() => {})
    work.progress?.(unit.name, counts)
  }
  await writing
  work.progress?.(unit.name, counts)
  if (db) await finish(db, source.identity, unit.name)
}

async function* inBatches(pages: AsyncIterable<SourceDocument[]>): AsyncGenerator<SourceDocument[]> {
  let held: SourceDocument[] = []
  let since = 0
  for await (const page of pages) {
    for (const document of page) {
      held.push(document)
      const position = Number(document.position)
      // Of files the position is a number of bytes.
      const isLarge = Number.isFinite(position) && position - since > batchBytes
      if (held.length < batchObjects && !isLarge) continue
      if (Number.isFinite(position)) since = position
      yield held
      held = []
    }
  }
  if (held.length > 0) yield held
}

type Write = (counts: Counts) => Promise<void>

/** Reads the documents of a batch; the answer writes them. */
async function prepare(work: Work, unit: Unit, batch: SourceDocument[]): Promise<Write> {
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
    table: sql`public.${sql.id(className)}`,
    columns: columnsOf(schema),
    key: ['objectId'],
  }
  return commit(work, unit, batch, notes, async (db) => {
    await writeFileNames(db, work.source.identity, files)
    return insertNoted(db, rows, options, notes)
  })
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
    notes.add(`The database refused some objects: ${error.message}`, String(row.objectId ?? row.owningId))
  }
  if (cleaned > 0) notes.add('Some texts held characters that no database keeps; those were replaced.')
  return { written, refused: refused.length }
}

/** One transaction: the objects, how far the source was read, and what is to be reported. */
function commit(
  { db, source, report }: Work,
  unit: Unit,
  batch: SourceDocument[],
  notes: Notes,
  write: (db: Database) => Promise<Outcome>,
): Write {
  return async (counts) => {
    const { refused: unread } = notes
    const outcome = db
      ? await db.transaction(async () => {
          await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
          // Rows and place are lost together, or not at all; the end of a unit waits for the disk.
          if (db.kind === 'postgres') await db.query(sql`set local synchronous_commit = off`)
          const { written, refused } = await write(db)
          const present = batch.length - unread - written - refused
          await db.query(
            sql`
              update countersign.imports set position = ${batch.at(-1)?.position ?? null}, read = read + ${batch.length},
                written = written + ${written}, present = present + ${present}, refused = refused + ${refused + unread}
              where source = ${source.identity} and unit = ${unit.name}`,
          )
          await saveNotes(db, source.identity, unit.name, notes)
          return { written, refused: refused + unread, present }
        })
      : { written: batch.length - unread, refused: unread, present: 0 }
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
    },
    notes,
  )
  await writeClaims(
    db,
    source,
    users.flatMap(({ claims }) => claims),
  )
  const identities = users.flatMap((user) => user.identities)
  await insertRows(db, identities, {
    table: sql`countersign.identities`,
    columns: [
      ['provider', 'text'],
      ['id', 'text'],
      ['user', 'text'],
    ],
    key: ['provider', 'id'],
    where: sql`exists (select from "_User" u where u."objectId" = r."user")`,
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

/** Sessions stay open where the client's token came along; what only the operator may do still needs a new proof. */
function prepareSessions(
  work: Work,
  unit: Unit,
  batch: SourceDocument[],
  objects: ImportedObject[],
  notes: Notes,
): Write {
  const rows = objects.flatMap((object) => {
    const fields = new Map(object.fields)
    const token = object.own.get('_session_token') ?? object.own.get('sessionToken')
    const user: unknown = Reflect.get(Object(fields.get('user')), 'objectId')
    const expires: unknown = Reflect.get(Object(fields.get('expiresAt')), 'iso')
    // A short token could be guessed.
    const isToken = typeof token === 'string' && /^r:[0-9A-Za-z]{20,100}$/.test(token)
    if (!isToken || typeof user !== 'string' || typeof expires !== 'string' || Date.parse(expires) < Date.now()) {
      notes.refuse('Some sessions are over, or cannot be kept.')
      return []
    }
    return [
      {
        objectId: object.objectId,
        createdAt: object.createdAt,
        updatedAt: object.updatedAt,
        _token_hash: `\\x${hashToken(token).toString('hex')}`,
        user,
        expiresAt: expires,
        createdWith: fields.get('createdWith') ?? { action: 'login', authProvider: 'import' },
        installationId: typeof fields.get('installationId') === 'string' ? fields.get('installationId') : null,
        _confirmed: object.createdAt,
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
    where: sql`exists (select from "_User" u where u."objectId" = r."user")`,
  }
  return commit(work, unit, batch, notes, (db) => insertNoted(db, rows, options, notes))
}

function prepareLinks(work: Work, unit: Unit, batch: SourceDocument[], notes: Notes): Write {
  if (unit.target.as !== 'relation') throw new TransferError('This unit holds no links.')
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
    notes.refuse('Some links of relations could not be read.')
    return []
  })
  if (relation === undefined && work.db) {
    for (const _ of rows) notes.refuse(`${className}.${field} is no relation of a class that came over.`)
    return commit(work, unit, batch, notes, async () => ({ written: 0, refused: 0 }))
  }
  const options: InsertOptions = {
    table: sql`public.${sql.id(joinTableName(className, field))}`,
    columns: [
      ['owningId', 'text'],
      ['relatedId', 'text'],
    ],
    key: ['owningId', 'relatedId'],
    where: sql`exists (select from public.${sql.id(className)} o where o."objectId" = r."owningId")`,
  }
  return commit(work, unit, batch, notes, (db) => insertNoted(db, rows, options, notes))
}

type State = { position: string | undefined; isFinished: boolean; counts: Counts }

/** Where the unit stands. A file of another size is another file: it is read again, and what is there stays. */
async function begin(db: Database, source: string, { name, size }: Unit): Promise<State> {
  const [row] = await db.query<Counts & { position: string | null; finished: Date | null }>(
    sql`
      insert into countersign.imports as known (source, unit, size) values (${source}, ${name}, ${size})
      on conflict (source, unit) do update set size = excluded.size,
        position = case when known.size = excluded.size then known.position end,
        finished = case when known.size = excluded.size then known.finished end,
        read = case when known.size = excluded.size then known.read else 0 end,
        written = case when known.size = excluded.size then known.written else 0 end,
        present = case when known.size = excluded.size then known.present else 0 end,
        refused = case when known.size = excluded.size then known.refused else 0 end
      returning position, finished, read, written, present, refused`,
  )
  const { read = 0, written = 0, present = 0, refused = 0 } = row ?? {}
  return {
    position: row?.position ?? undefined,
    isFinished: row?.finished !== null && row?.finished !== undefined,
    counts: { read, written, present, refused },
  }
}

async function finish(db: Database, source: string, unit: string): Promise<void> {
  await db.query(sql`update countersign.imports set finished = now() where source = ${source} and unit = ${unit}`)
}

async function forget(db: Database, source: string): Promise<void> {
  for (const table of ['imports', 'import_notes', 'import_claims', 'import_files']) {
    await db.query(sql`delete from countersign.${sql.id(table)} where source = ${source}`)
  }
}

async function tell({ db, source, report }: Work, unit: string, notes: Notes): Promise<void> {
  if (db) await saveNotes(db, source.identity, unit, notes)
  else report.notes = mergeNotes(report.notes, unit, notes)
}

async function saveNotes(db: Database, source: string, unit: string, notes: Notes): Promise<void> {
  const rows = notes.list()
  if (rows.length === 0) return
  await db.query(
    sql`
      insert into countersign.import_notes as known (source, unit, sentence, example, count)
      select ${source}, ${unit}, sentence, example, count
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (sentence text, example text, count bigint)
      on conflict (source, unit, sentence) do update set count = known.count + excluded.count`,
  )
}

async function listNotes(db: Database, source: string): Promise<ImportReport['notes']> {
  const rows = await db.query<{ unit: string; sentence: string; example: string | null; count: number }>(
    sql`
      select unit, sentence, example, count from countersign.import_notes where source = ${source}
      order by unit, count desc, sentence limit 10000`,
  )
  return rows.map(({ example, ...row }) => ({ ...row, ...(example !== null && { example }) }))
}

function mergeNotes(before: ImportReport['notes'], unit: string, notes: Notes): ImportReport['notes'] {
  const merged = new Map(before.map((note) => [`${note.unit} ${note.sentence}`, note]))
  for (const { sentence, count, example } of notes.list()) {
    const known = merged.get(`${unit} ${sentence}`)
    if (known) known.count += count
    else merged.set(`${unit} ${sentence}`, { unit, sentence, count, ...(example !== undefined && { example }) })
  }
  return [...merged.values()]
}
