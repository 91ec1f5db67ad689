import { type ClassPermissions, sameValue } from '@countersign/protocol'
import type { ClassStep } from '../classes/applySteps.ts'
import { type ClassIndex, type ClassSchema, emptySchema, type FieldType } from '../classes/ClassSchema.ts'
import { missingFields } from '../classes/columns.ts'
import { type Classes, createClasses } from '../classes/createClasses.ts'
import { checkClassName, isFieldName } from '../classes/names.ts'
import { evolve } from '../classes/schema/planSchema.ts'
import { startOf } from '../classes/systemFields.ts'
import type { Database } from '../db/Database.ts'
import type { Note } from './readDocument.ts'

export type Wanted = { fields: ReadonlyMap<string, FieldType>; relations: ReadonlyMap<string, string> }

/** The classes that an import fills: those of the database, or drafts of a dry run. */
export type Target = {
  find(className: string): ClassSchema | undefined
  /** Creates the missing parts of the class, and reports impossible ones. */
  widen(className: string, wanted: Wanted, note: Note): Promise<ClassSchema>
  setPermissions(className: string, permissions: ClassPermissions, note: Note): Promise<void>
  addIndex(className: string, name: string, index: ClassIndex, note: Note): Promise<void>
  close(): Promise<void>
}

/** On a database. */
export async function openTarget(db: Database): Promise<Target> {
  const classes = await createClasses(db)
  return {
    find: classes.find,
    widen: (className, wanted, note) => widenWhatFits(classes, className, wanted, note),
    async setPermissions(className, permissions, note) {
      await classes.change(className, (current) => {
        if (current?.permissions && !sameValue(current.permissions as never, permissions as never)) {
          note(`${className} already has permissions, so the permissions of the source were not imported.`)
          return []
        }
        return [{ kind: 'setPermissions', permissions }]
      })
    },
    async addIndex(className, name, index, note) {
      try {
        await classes.change(className, (current) =>
          current?.indexes.has(name) ? [] : [{ kind: 'addIndex', name, index } satisfies ClassStep],
        )
      } catch (error) {
        note(`The index ${name} of ${className} was not imported: ${(error as Error).message}`)
      }
    },
    close: () => classes.close(),
  }
}

async function widenWhatFits(classes: Classes, className: string, wanted: Wanted, note: Note): Promise<ClassSchema> {
  checkClassName(className)
  const allowed = nameable(className, wanted, note)
  try {
    return await classes.widen(className, allowed.fields, { relations: allowed.relations, create: true })
  } catch {
    // One by one, so that what does not fit keeps nothing else from coming.
    let schema = await classes.widen(className, new Map(), { create: true })
    const tell = (name: string, error: unknown) =>
      note(`${className}.${name} was not imported: ${(error as Error).message}`)
    for (const [name, field] of allowed.fields) {
      schema = await classes.widen(className, new Map([[name, field]])).catch((error) => {
        tell(name, error)
        return schema
      })
    }
    for (const [name, target] of allowed.relations) {
      const relations = new Map([[name, target]])
      schema = await classes.widen(className, new Map(), { relations }).catch((error) => {
        tell(name, error)
        return schema
      })
    }
    return schema
  }
}

/** For a dry run: starts from what a new database has. */
export function draftTarget(): Target {
  const drafts = new Map<string, ClassSchema>()
  return {
    find: (className) => drafts.get(className),
    async widen(className, wanted, note) {
      checkClassName(className)
      let schema = drafts.get(className) ?? evolve(emptySchema(className), startOf(className))
      const allowed = nameable(className, wanted, note)
      for (const [name, field] of allowed.fields) {
        try {
          missingFields(schema, { fields: new Map([[name, field]]), relations: new Map() })
          schema = evolve(schema, [{ kind: 'addField', name, field }])
        } catch (error) {
          note(`${className}.${name} was not imported: ${(error as Error).message}`)
        }
      }
      for (const [name, targetClass] of allowed.relations) {
        schema = evolve(schema, [{ kind: 'addRelation', name, targetClass }])
      }
      drafts.set(className, schema)
      return schema
    },
    async setPermissions() {},
    async addIndex() {},
    async close() {},
  }
}

function nameable(className: string, wanted: Wanted, note: Note): Wanted {
  const pick = <Value>(from: ReadonlyMap<string, Value>) =>
    new Map(
      [...from].filter(([name]) => {
        if (isFieldName(name)) return true
        note(`${className}.${name.slice(0, 80)} was not imported: invalid field name.`)
        return false
      }),
    )
  return { fields: pick(wanted.fields), relations: pick(wanted.relations) }
}
