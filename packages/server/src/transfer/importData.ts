import type { ClassPermissions, WireFields, WireValue } from '@countersign/protocol'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import { defaultFieldNames, isClassName } from '../classes/names.ts'
import { fieldsOf } from '../classes/schema/encodeSchema.ts'
import { readField, readIndex, userIdPattern } from '../classes/schema/planFields.ts'
import { readPermissions } from '../classes/schema/planSchema.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { prepareBatch } from './importBatch.ts'
import { type FilePlan, fetchFiles } from './importFiles.ts'
import { forgetOwnRows } from './importPolicy.ts'
import {
  beginUnit,
  type Counts,
  finishUnit,
  forgetProgress,
  type ImportReport,
  listNotes,
  mergeNotes,
  saveNotes,
} from './importProgress.ts'
import { createNotes, type Notes } from './notes.ts'
import type { Source, SourceClass, SourceDocument, Unit } from './Source.ts'
import { settleWallets } from './settleWallets.ts'
import { draftTarget, openTarget, type Target } from './Target.ts'

export type ImportOptions = {
  /** Without one nothing is written: a dry run. */
  db: Database | undefined
  config: Config
  source: Source
  /** Reads every unit from its beginning, whatever an earlier run has done. */
  restart?: boolean
  /** Imports only wallets whose signature the older server verified. */
  provenWalletsOnly?: boolean
  sessions?: boolean
  files: FilePlan
  progress?: (unit: string, counts: Counts) => void
}

/** Objects of one transaction: enough that its cost does not count, and few enough that memory stays flat. */
const batchObjects = 2_000
const batchBytes = 8 * 1024 * 1024

type Work = ImportOptions & { target: Target; report: ImportReport; linked: Set<string> }

/**
 * Imports the objects of another server, with their ids, times and access lists. Each batch and its position are one
 * transaction: a killed import continues there, and nothing is doubled. Hooks do not run, and live queries and webhooks
 * receive nothing.
 */
export async function importData(options: ImportOptions): Promise<ImportReport> {
  const { db, source } = options
  const target = db ? await openTarget(db) : draftTarget()
  const report: ImportReport = {
    units: [],
    notes: [],
    wallets: { linked: 0, contested: 0, taken: 0, foreign: 0 },
    files: { fetched: 0, present: 0, missing: 0 },
    leftOut: source.leftOut,
  }
  const work: Work = { ...options, target, report, linked: new Set(['_User', '_Role']) }
  try {
    if (db) await noteAudit(db, 'import.begin', source.identity)
    if (db && options.restart) await forgetProgress(db, source.identity)
    const classes = await source.classes()
    const structure = createNotes()
    await prepareClasses(work, classes, structure)
    const units = await source.units(classes)
    for (const { target: to } of units) if (to.as === 'relation') work.linked.add(to.className)
    for (const unit of units) await importUnit(work, unit)
    if (db) report.wallets = await settleWallets(db, source.identity, options.provenWalletsOnly ?? false)
    await addIndexes(work, classes, structure)
    if (db) report.files = await fetchFiles({ db, config: options.config }, source, options.files)
    await tell(work, '', structure)
    report.notes = db ? await listNotes(db, source.identity) : report.notes
    if (db) {
      const written = report.units.map(({ name, written }) => [name, written])
      await forgetOwnRows(db, source.identity)
      await noteAudit(db, 'import.end', source.identity, { written: Object.fromEntries(written.slice(0, 200)) })
    }
    return report
  } finally {
    await target.close()
    await source.close?.()
  }
}

/** Records an import: source, time and amount. A killed one has a start and no end. */
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
        notes.add(`${className}.${name.slice(0, 80)} was not imported: ${(error as Error).message}`)
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

/** Permissions that are not understood are closed, never open. */
function keepPermissions(schema: ClassSchema, permissions: WireValue, notes: Notes): ClassPermissions {
  const plain = dropFalse(permissions)
  try {
    return readPermissions(fieldsOf(schema), userIdPattern({ allowCustomObjectId: true }), plain)
  } catch (error) {
    notes.add(
      `The permissions of ${schema.className} could not be read (${(error as Error).message}). Only the master key can use the class until you set them.`,
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
        notes.add(`The index ${plain} of ${className} was not imported: ${(error as Error).message}`)
      }
    }
  }
}

async function importUnit(work: Work, unit: Unit): Promise<void> {
  const { db, source, report, sessions = true } = work
  const { target } = unit
  if (target.as === 'objects' && !isClassName(target.className)) {
    report.leftOut.push(`${target.className} is not imported: invalid class name.`)
    return
  }
  if (target.as !== 'addresses' && work.target.find(target.className)?.source) {
    report.leftOut.push(`${unit.name} is not imported: only the server writes objects of this class.`)
    return
  }
  if (target.as === 'objects' && target.className === '_Session' && !sessions) return
  const state = db ? await beginUnit(db, source.identity, unit) : undefined
  const counts: Counts = state?.counts ?? { read: 0, written: 0, present: 0, refused: 0 }
  report.units.push(Object.assign(counts, { name: unit.name }))
  if (state?.isFinished) return
  // The next batch is read while the database writes the one before.
  let writing: Promise<void> = Promise.resolve()
  writing.catch(() => {})
  for await (const batch of inBatches(unit.read(state?.position))) {
    const prepared = prepareBatch(work, unit, batch)
    prepared.catch(() => {})
    await writing
    writing = prepared.then((write) => write(counts))
    writing.catch(() => {})
    work.progress?.(unit.name, counts)
  }
  await writing
  work.progress?.(unit.name, counts)
  if (db) await finishUnit(db, source.identity, unit.name)
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

async function tell({ db, source, report }: Work, unit: string, notes: Notes): Promise<void> {
  if (db) await saveNotes(db, source.identity, unit, notes)
  else report.notes = mergeNotes(report.notes, unit, notes)
}
