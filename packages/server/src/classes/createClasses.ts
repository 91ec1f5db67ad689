import { CountersignError } from '@countersign/protocol'
import type { Database } from '../db/Database.ts'
import { applySteps } from './applySteps.ts'
import { type ClassRow, classColumns, decodeClass } from './ClassRow.ts'
import type { ClassSchema, FieldType } from './ClassSchema.ts'
import type { ClassStep } from './ClassStep.ts'
import { checkClassName } from './classNames.ts'
import { lockClass } from './lockClass.ts'
import { lacksNothing, type MissingFields, missingFields, type WantedFields } from './missingFields.ts'
import { classesChannel } from './saveClass.ts'
import { startOf } from './systemFields.ts'

export type WidenOptions = {
  /** Relations that the write needs, by field, with the class that they lead to. */
  relations?: ReadonlyMap<string, string>
  /** Whether the caller may make the class. */
  create?: boolean
  /** Fields that the class may have once some were added; those of every class unless given. */
  most?: number | undefined
}

/** The classes of the application as this server knows them. */
export type Classes = {
  get(className: string): ClassSchema
  find(className: string): ClassSchema | undefined
  list(): ClassSchema[]
  /**
   * Makes what the class lacks: columns, relations, the class itself. Refuses a type that differs from the field's
   * own. Inside a transaction only the answer knows the new class; `get` does once the transaction has committed.
   */
  widen(className: string, wanted: ReadonlyMap<string, FieldType>, options?: WidenOptions): Promise<ClassSchema>
  /** Changes a class by the steps that `plan` answers for what it is now. Answers what it is then. */
  change(
    className: string,
    plan: (current: ClassSchema | undefined) => ClassStep[] | Promise<ClassStep[]>,
  ): Promise<ClassSchema | undefined>
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Tables cost the database something each; a caller who invents class names must meet a limit. */
const mostClasses = 5_000

/** Within five seconds of a silent loss of the channel, which takes four to be noticed, every change is known. */
const pollUnheard = 500

/** Loads the classes and follows the changes that other servers make. */
export async function createClasses(db: Database): Promise<Classes> {
  let known = new Map<string, ClassSchema>()
  let changes = 0
  let asked = 0
  let answered = 0

  const refresh = async () => {
    for (let tries = 0; tries < 5; tries++) {
      const [order, before] = [++asked, changes]
      const rows = await db.query<ClassRow>({ text: `select ${classColumns} from countersign.classes` })
      // What was read before a change of our own, or before what another refresh read, is older than what is known.
      if (order < answered) return
      if (before !== changes) continue
      answered = order
      known = new Map(rows.map((row) => [row.className, keepSame(known.get(row.className), row)]))
      return
    }
  }
  await refresh()
  // A refresh that fails is made up for by the next one, and by the statement that meets an unknown column.
  const follow = () => void refresh().catch(() => {})
  const unlisten = await db.listen(classesChannel, follow, follow)
  // What a class allows must not be believed for long where nobody tells that it changed.
  const looking = setInterval(() => db.listening() || follow(), pollUnheard)
  looking.unref()

  const get = (className: string) => {
    const schema = known.get(className)
    if (!schema) throw new CountersignError('InvalidClassName', `Class ${className.slice(0, 100)} does not exist.`)
    return schema
  }

  const remember = (className: string, schema: ClassSchema | undefined) => {
    changes++
    const before = known.get(className)
    if (!schema) known.delete(className)
    else if (!before || before.version < schema.version) known.set(className, schema)
  }

  const change: Classes['change'] = async (className, plan) => {
    const changed = await db.transaction(async () => {
      const current = await lockClass(db, className)
      const steps = await plan(current)
      return steps.length === 0 ? current : applySteps(db, className, current, steps)
    })
    // What a transaction around us takes back must not be remembered.
    db.afterCommit(() => remember(className, changed))
    return changed
  }

  const widen: Classes['widen'] = async (className, fields, { relations = new Map(), create = false, most } = {}) => {
    const wanted: WantedFields = { fields, relations }
    const present = known.get(className)
    if (present && lacksNothing(missingFields(present, wanted))) return present
    if (!present) checkCreation(className, create)
    const widened = await change(className, (current) => {
      if (!current) checkCreation(className, create)
      const start = current ? [] : startOf(className)
      const base = current ?? draftOf(className, start)
      const missing = missingFields(base, wanted)
      if (most !== undefined) checkRoom(base, missing, most)
      return [
        ...start,
        ...missing.fields.map(([name, field]): ClassStep => ({ kind: 'addField', name, field })),
        ...missing.relations.map(([name, targetClass]): ClassStep => ({ kind: 'addRelation', name, targetClass })),
      ]
    })
    if (!widened) throw new CountersignError('InvalidClassName', `Class ${className} does not exist.`)
    return widened
  }

  const checkCreation = (className: string, create: boolean) => {
    checkClassName(className)
    if (!create) {
      throw new CountersignError(
        'OperationForbidden',
        `This user is not allowed to access non-existent class: ${className}`,
      )
    }
    if (known.size >= mostClasses) {
      throw new CountersignError('ExceededQuota', `There may be ${mostClasses} classes at most.`)
    }
  }

  return {
    get,
    find: (className) => known.get(className),
    list: () => [...known.values()],
    widen,
    change,
    refresh,
    close: () => {
      clearInterval(looking)
      return unlisten()
    },
  }
}

/** The same object while nothing changed: statements are kept by it. */
function keepSame(known: ClassSchema | undefined, row: ClassRow): ClassSchema {
  return known && known.version === row.version ? known : decodeClass(row)
}

/** Under the lock of the class, so that many who add fields at once do not pass the bound together. */
function checkRoom({ className, fields, relations }: ClassSchema, missing: MissingFields, most: number): void {
  const added = missing.fields.length + missing.relations.length
  if (added === 0 || fields.size + relations.size + added <= most) return
  throw new CountersignError(
    'ExceededQuota',
    `Clients may add fields to ${className} until it has ${most}. More are made with the master key.`,
  )
}

/** What a class is after its first steps, to measure a write by before anything is made. */
function draftOf(className: string, start: ClassStep[]): ClassSchema {
  const fields = start.flatMap((step): [string, FieldType][] =>
    step.kind === 'addField' ? [[step.name, step.field]] : [],
  )
  return { className, fields: new Map(fields), relations: new Map(), indexes: new Map(), version: 0 }
}
