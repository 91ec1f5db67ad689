import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { applySteps, type ClassStep, lockClass } from '../applySteps.ts'
import { type ClassRow, type ClassSchema, classColumns, describeType, type FieldType, tableOf } from '../ClassSchema.ts'
import { type Parts, userIdPattern } from './planFields.ts'
import { type PlannedClass, planFile } from './planFile.ts'

export type ApplyOptions = { dryRun?: boolean; allowDrops?: boolean }
export type Applied = { plan: PlanLine[]; applied: boolean }

/** Applies a schema file, all or nothing. Deletes data only if allowed. */
export async function applySchema(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  file: WireValue,
  { dryRun = false, allowDrops = false }: ApplyOptions = {},
): Promise<Applied> {
  if (file === null || typeof file !== 'object' || Array.isArray(file)) {
    throw new CountersignError('InvalidJson', 'A schema must be an object: classes by their names.')
  }
  const classes = file as { [className: string]: WireValue }
  return db.transaction(async () => {
    const known = await lockAll(db, Object.keys(classes))
    for (const name of await listChainClasses(db)) if (!Object.hasOwn(classes, name)) known.delete(name)
    const planned = planFile(known, classes, { userId: userIdPattern(config) })
    const plan: PlanLine[] = []
    for (const one of planned)
      plan.push(...describeSteps(one, await countBeforeDrop(db, known.get(one.className), one)))
    if (dryRun || (!allowDrops && plan.some(({ drops }) => drops))) return { plan, applied: false }
    for (const { className, current, steps } of planned) await applySteps(db, className, current, steps)
    return { plan, applied: true }
  })
}

/** Classes that the server itself makes and fills, with transfers and events of contracts: they stay without being named. */
async function listChainClasses(db: Database): Promise<string[]> {
  const rows = await db.query<{ className: string }>(
    sql`select "className" from countersign.chain_classes union select "className" from countersign.chain_syncs`,
  )
  return rows.map(({ className }) => className)
}

/** Locks every class, always in the same order: two that lock crosswise would wait for each other. */
async function lockAll(db: Database, named: string[]): Promise<Map<string, ClassSchema>> {
  const rows = await db.query<ClassRow>(sql`select ${classColumns} from countersign.classes`)
  const known = new Map<string, ClassSchema>()
  for (const className of [...new Set([...named, ...rows.map((row) => row.className)])].sort()) {
    const schema = await lockClass(db, className)
    if (schema) known.set(className, schema)
  }
  return known
}

async function countBeforeDrop(
  db: Database,
  schema: ClassSchema | undefined,
  { steps }: PlannedClass,
): Promise<number | undefined> {
  if (!schema || !steps.some(({ kind }) => kind === 'dropClass')) return undefined
  const [row] = await db.query<{ count: number }>(sql`select count(*)::integer as count from ${tableOf(schema)}`)
  return row?.count
}

/** One line of a plan. `drops`: data is lost. */
type PlanLine = { text: string; drops: boolean }

/** A plan for people. `count` is how many objects a class holds. */
function describeSteps({ className, current, steps }: PlannedClass, count: number | undefined): PlanLine[] {
  return steps.map((step) => ({
    text: describeStep(className, current, step, count),
    drops: step.kind === 'dropClass' || step.kind === 'dropField' || step.kind === 'dropRelation',
  }))
}

function describeStep(
  className: string,
  current: ClassSchema | undefined,
  step: ClassStep,
  count: number | undefined,
): string {
  switch (step.kind) {
    case 'createClass':
      return `create class ${className}`
    case 'dropClass':
      return `drop class ${className}${count === undefined ? '' : ` with ${count} object${count === 1 ? '' : 's'}`}`
    case 'markDropped':
      return `restore the empty class ${className}`
    case 'addField':
      return `add ${className}.${step.name}: ${describeField(step.field)}`
    case 'changeField':
      return `change ${className}.${step.name} to ${describeField(step.field)}`
    case 'dropField': {
      const field = current?.fields.get(step.name)
      return `drop ${className}.${step.name}${field ? `: ${describeType(field)}` : ''} and its values`
    }
    case 'addRelation':
      return `add ${className}.${step.name}: Relation<${step.targetClass}>`
    case 'dropRelation':
      return `drop ${className}.${step.name}: Relation<${current?.relations.get(step.name) ?? ''}> and its values`
    case 'addIndex': {
      const fields = [...step.index.fields].map(([name, direction]) => `${name} ${direction}`).join(', ')
      return `add ${step.index.unique ? 'unique ' : ''}index ${step.name} of ${className}: ${fields}`
    }
    case 'dropIndex':
      return `drop index ${step.name} of ${className}`
    case 'setPermissions':
      return `set the permissions of ${className}`
  }
}

function describeField(field: FieldType): string {
  const options = [
    ...(field.required ? ['required'] : []),
    ...(field.defaultValue === undefined ? [] : [`default ${JSON.stringify(field.defaultValue)}`]),
  ]
  return [describeType(field), ...options].join(', ')
}
