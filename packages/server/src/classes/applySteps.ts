import { CountersignError } from '@countersign/protocol'
import { quote, tableOf } from '../db/createBindings.ts'
import type { Database } from '../db/Database.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import type { ClassSchema } from './ClassSchema.ts'
import type { ClassStep } from './ClassStep.ts'
import { columns } from './columns.ts'
import { indexName, indexStatement } from './indexStatement.ts'
import { joinTableName } from './joinTableName.ts'
import { saveClass } from './saveClass.ts'
import { createJoinTable, createTable } from './tableStatements.ts'

/** PostgreSQL ends at 1,600 columns; a caller who invents field names must meet our limit before that one. */
const mostFields = 500

type Draft = ClassSchema & {
  fields: Map<string, NonNullable<ReturnType<ClassSchema['fields']['get']>>>
  relations: Map<string, string>
  indexes: Map<string, NonNullable<ReturnType<ClassSchema['indexes']['get']>>>
}

/**
 * Carries the steps out in the open transaction, in which the class is locked, and writes down what the class is now.
 * Answers `undefined` once the class is gone.
 */
export async function applySteps(
  db: Database,
  className: string,
  current: ClassSchema | undefined,
  steps: ClassStep[],
): Promise<ClassSchema | undefined> {
  const draft: Draft = {
    className,
    fields: new Map(current?.fields),
    relations: new Map(current?.relations),
    ...(current?.permissions && { permissions: current.permissions }),
    indexes: new Map(current?.indexes),
    ...(current?.dropped && { dropped: true }),
    version: current?.version ?? 0,
  }
  const columnsToAdd = steps.filter((step) => step.kind === 'addField')
  const count = draft.fields.size + draft.relations.size
  if (count + steps.filter(({ kind }) => kind === 'addField' || kind === 'addRelation').length > mostFields) {
    throw new CountersignError('ExceededQuota', `Class ${className} may have ${mostFields} fields at most.`)
  }
  for (const step of steps) {
    // All columns in one statement: each would lock the table anew.
    if (step.kind !== 'addField') await applyStep(db, draft, step)
    else if (step === columnsToAdd[0]) await addColumns(db, draft, columnsToAdd)
  }
  const dropped = steps.some(({ kind }) => kind === 'dropClass')
  return saveClass(db, className, dropped ? undefined : draft)
}

async function applyStep(db: Database, draft: Draft, step: Exclude<ClassStep, { kind: 'addField' }>): Promise<void> {
  const { className } = draft
  const table = tableOf(className)
  switch (step.kind) {
    case 'createClass':
      return run(db, className, createTable(className))
    case 'dropClass':
      for (const name of draft.relations.keys()) await run(db, className, dropJoinTable(className, name))
      return run(db, className, `drop table ${table}`)
    case 'markDropped':
      if (step.dropped) draft.dropped = true
      else delete draft.dropped
      return
    case 'changeField':
      draft.fields.set(step.name, step.field)
      return
    case 'dropField':
      await run(db, className, `alter table ${table} drop column ${quote(step.name)}`)
      // A field that comes again later must not find its old nulls.
      await db.query({
        text: `update ${table} set "_nulls" = array_remove("_nulls", $1) where $1 = any("_nulls")`,
        values: [step.name],
      })
      draft.fields.delete(step.name)
      for (const [name, index] of draft.indexes) if (index.fields.has(step.name)) draft.indexes.delete(name)
      return
    case 'addRelation':
      await run(db, className, createJoinTable(className, step.name))
      draft.relations.set(step.name, step.targetClass)
      return
    case 'dropRelation':
      await run(db, className, dropJoinTable(className, step.name))
      draft.relations.delete(step.name)
      return
    case 'addIndex':
      await run(db, className, indexStatement(draft, step.name, step.index))
      draft.indexes.set(step.name, step.index)
      return
    case 'dropIndex':
      await run(db, className, `drop index if exists public.${quote(indexName(className, step.name))}`)
      draft.indexes.delete(step.name)
      return
    case 'setPermissions':
      if (step.permissions) draft.permissions = step.permissions
      else delete draft.permissions
  }
}

async function addColumns(db: Database, draft: Draft, steps: Extract<ClassStep, { kind: 'addField' }>[]) {
  const additions = steps.map(({ name, field }) => `add column ${quote(name)} ${columns[field.type].sql}`)
  await run(db, draft.className, `alter table ${tableOf(draft.className)} ${additions.join(', ')}`)
  for (const { name, field } of steps) draft.fields.set(name, field)
}

function dropJoinTable(className: string, field: string): string {
  return `drop table if exists ${tableOf(joinTableName(className, field))}`
}

/** What the database refuses for a reason that the caller can mend is told as such. */
async function run(db: Database, className: string, text: string): Promise<void> {
  try {
    await db.query({ text })
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === '42P07') {
      throw new CountersignError(
        'InvalidClassName',
        `The database holds a table for ${className} that is none of this application's classes. Rename or drop it.`,
        { cause: error },
      )
    }
    if (code === '54011') {
      throw new CountersignError('ExceededQuota', `Class ${className} has had too many fields; make it anew.`)
    }
    if (isUniqueViolation(error)) {
      throw new CountersignError(
        'DuplicateValue',
        `A unique index of ${className} cannot be made: objects share values already.`,
        { cause: error },
      )
    }
    throw error
  }
}
