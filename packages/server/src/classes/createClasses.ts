import { CountersignError } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import type { Database } from '../db/Database.ts'
import { isUndefinedColumn, isUndefinedTable } from '../db/databaseErrors.ts'
import { sql } from '../db/sql.ts'
import { applySteps, type ClassStep, classesChannel, lockClass } from './applySteps.ts'
import { type ClassRow, type ClassSchema, classColumns, decodeClass, type FieldType } from './ClassSchema.ts'
import { lacksNothing, type MissingFields, missingFields, type WantedFields } from './columns.ts'
import { checkClassName } from './names.ts'
import { startOf } from './systemFields.ts'

export type WidenOptions = {
  /** Relations that the write needs, by field, with the class that they lead to. */
  relations?: ReadonlyMap<string, string>
  /** Allows the caller to create the class. */
  create?: boolean
  /** Fields that the class may have once some were added; those of every class unless given. */
  most?: number | undefined
}

/** The classes of the application as this server knows them. */
export type Classes = {
  get(className: string): ClassSchema
  find(className: string): ClassSchema | undefined
  list(): ClassSchema[]
  /** Read-only classes without a table. `find` and `get` return them too, `list` does not. */
  listReadOnly(): ClassSchema[]
  /**
   * Makes what the class lacks: columns, relations, the class itself. Refuses a type that differs from the field's
   * own. Inside a transaction `get` knows the new class for the rest of that transaction, and everyone once it has
   * committed.
   */
  widen(className: string, wanted: ReadonlyMap<string, FieldType>, options?: WidenOptions): Promise<ClassSchema>
  /** Changes a class by the steps that `plan` returns for its current state. Returns the new state. */
  change(
    className: string,
    plan: (current: ClassSchema | undefined) => ClassStep[] | Promise<ClassStep[]>,
  ): Promise<ClassSchema | undefined>
  refresh(): Promise<void>
  /** When another state of some class became known here, as `performance.now()` of this process. */
  changedAt(): number
  close(): Promise<void>
}

/** Tables cost the database something each; a caller who invents class names must meet a limit. */
const mostClasses = 5_000

/** Within five seconds of a silent loss of the channel, which takes four to be noticed, every change is known. */
const pollUnheard = 500

/** Loads the classes and follows the changes that other servers make. `readOnly` are those without a table. */
export async function createClasses(db: Database, readOnly: readonly ClassSchema[] = []): Promise<Classes> {
  const withoutTable = new Map(readOnly.map((schema) => [schema.className, schema]))
  let known = new Map<string, ClassSchema>()
  let changes = 0
  let changedAt = performance.now()
  let asked = 0
  let answered = 0

  const refresh = async (): Promise<void> => {
    for (let tries = 0; tries < 5; tries++) {
      const [order, before] = [++asked, changes]
      const rows = await db.query<ClassRow>(sql`select ${classColumns} from countersign.classes`)
      if (db.inside()) {
        // The open transaction may be rolled back: its own changes count in it alone.
        for (const row of rows) {
          if (known.get(row.className)?.version !== row.version) {
            db.note(noteOf(row.className), { schema: decodeClass(row) })
          }
        }
        db.afterCommit(() => refresh())
        return
      }
      // A reading from before our own change, or before a later refresh, is outdated.
      if (order < answered) return
      if (before !== changes) continue
      answered = order
      const next = new Map(rows.map((row) => [row.className, keepSame(known.get(row.className), row)]))
      const isSame = next.size === known.size && [...next].every(([name, schema]) => known.get(name) === schema)
      if (!isSame) changedAt = performance.now()
      known = next
      return
    }
  }
  await refresh()
  refuseTaken(readOnly, known)
  // A refresh that fails is made up for by the next one, and by the statement that meets an unknown column.
  const follow = () => void refresh().catch(() => {})
  const unlisten = await db.listen(classesChannel, follow, follow)
  // Permissions must not be cached for long while no notifications arrive.
  const looking = setInterval(() => db.listening() || follow(), pollUnheard)
  looking.unref()

  const findReadOnly = (className: string) => {
    const schema = withoutTable.get(className)
    return schema?.source?.needs === undefined || known.has(schema.source.needs) ? schema : undefined
  }

  /**
   * A class that the open transaction changed is read by its new schema in that transaction: rows decoded by the old one
   * would lack what was just written.
   */
  const present = (className: string) => {
    const noted = db.findNote(noteOf(className)) as { schema: ClassSchema | undefined } | undefined
    return noted ? noted.schema : known.get(className)
  }

  const find = (className: string) =>
    present(className) ?? (withoutTable.size > 0 ? findReadOnly(className) : undefined)

  const get = (className: string) => {
    const schema = find(className)
    if (!schema) throw new CountersignError('InvalidClassName', `Class ${className.slice(0, 100)} does not exist.`)
    return schema
  }

  const remember = (className: string, schema: ClassSchema | undefined) => {
    changes++
    changedAt = performance.now()
    const before = known.get(className)
    if (!schema) known.delete(className)
    else if (!before || before.version < schema.version) known.set(className, schema)
  }

  const change: Classes['change'] = async (className, plan) => {
    if (withoutTable.has(className)) throw readOnlyClass(className)
    const changed = await db.transaction(async () => {
      const current = await lockClass(db, className)
      const steps = await plan(current)
      return steps.length === 0 ? current : applySteps(db, className, current, steps)
    })
    db.note(noteOf(className), { schema: changed })
    // Not cached if the surrounding transaction rolls back.
    db.afterCommit(() => remember(className, changed))
    return changed
  }

  const widen: Classes['widen'] = async (className, fields, { relations = new Map(), create = false, most } = {}) => {
    const wanted: WantedFields = { fields, relations }
    if (withoutTable.has(className)) throw readOnlyClass(className)
    const current = present(className)
    if (current && lacksNothing(missingFields(current, wanted))) return current
    if (!current) checkCreation(className, create, known.size)
    const widened = await change(className, (current) => {
      if (!current) checkCreation(className, create, known.size)
      return planWidening(className, current, wanted, most)
    })
    if (!widened) throw new CountersignError('InvalidClassName', `Class ${className} does not exist.`)
    return widened
  }

  return {
    get,
    find,
    list: () => [...known.values()],
    listReadOnly: () => [...withoutTable.keys()].flatMap((className) => findReadOnly(className) ?? []),
    widen,
    change,
    refresh,
    changedAt: () => changedAt,
    close: () => {
      clearInterval(looking)
      return unlisten()
    },
  }
}

/** The names of the older service are not shared: one that the application uses already ends the start. */
function refuseTaken(readOnly: readonly ClassSchema[], known: ReadonlyMap<string, ClassSchema>): void {
  const taken = readOnly.find(({ className }) => known.has(className))?.className
  if (taken === undefined) return
  throw new ConfigError(
    `indexer.olderClasses: the application already has a class ${taken}. Delete it (its rows come from the older ` +
      'service) or turn the setting off.',
  )
}

function checkCreation(className: string, create: boolean, count: number): void {
  checkClassName(className)
  if (!create) {
    throw new CountersignError(
      'OperationForbidden',
      `This user is not allowed to access non-existent class: ${className}`,
    )
  }
  if (count >= mostClasses) {
    throw new CountersignError('ExceededQuota', `The limit of ${mostClasses} classes has been reached.`)
  }
}

const noteOf = (className: string) => `class ${className}`

/** The refusal of a write to a class without a table. */
export function readOnlyClass(className: string): CountersignError {
  return new CountersignError(
    'OperationForbidden',
    `Objects of ${className} come from the chain index and are read-only.`,
  )
}

/** The same object while nothing changed: statements are kept by it. */
function keepSame(known: ClassSchema | undefined, row: ClassRow): ClassSchema {
  return known && known.version === row.version ? known : decodeClass(row)
}

/** Steps that give a class, or a new one, what a write needs. */
function planWidening(
  className: string,
  current: ClassSchema | undefined,
  wanted: WantedFields,
  most: number | undefined,
): ClassStep[] {
  const start = current ? [] : startOf(className)
  const base = current ?? draftOf(className, start)
  const missing = missingFields(base, wanted)
  if (most !== undefined) checkRoom(base, missing, most)
  return [
    ...start,
    ...missing.fields.map(([name, field]): ClassStep => ({ kind: 'addField', name, field })),
    ...missing.relations.map(([name, targetClass]): ClassStep => ({ kind: 'addRelation', name, targetClass })),
  ]
}

/** Under the lock of the class, so that many who add fields at once do not pass the bound together. */
function checkRoom({ className, fields, relations }: ClassSchema, missing: MissingFields, most: number): void {
  const added = missing.fields.length + missing.relations.length
  if (added === 0 || fields.size + relations.size + added <= most) return
  throw new CountersignError(
    'ExceededQuota',
    `Clients can add fields to ${className} until it has ${most}. Add more with the master key.`,
  )
}

/** Class after its first steps, to check a write before anything is created. */
function draftOf(className: string, start: ClassStep[]): ClassSchema {
  const fields = start.flatMap((step): [string, FieldType][] =>
    step.kind === 'addField' ? [[step.name, step.field]] : [],
  )
  return { className, fields: new Map(fields), relations: new Map(), indexes: new Map(), version: 0 }
}

/**
 * Runs work that takes its statements from the classes. Where the database no longer has a table or column of theirs,
 * another server dropped it a moment ago: the classes are read again and the work is tried once more.
 */
export async function withFreshClasses<Result>(classes: Classes, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isUndefinedColumn(error) && !isUndefinedTable(error)) throw error
    try {
      await classes.refresh()
    } catch {
      // Inside a transaction that has failed nothing more can be read; it is the transaction's to be tried again.
      throw error
    }
    return work()
  }
}
