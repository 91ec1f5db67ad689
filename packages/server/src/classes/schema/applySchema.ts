import { CountersignError, type WireValue } from '@countersign/protocol'
import { tableOf } from '../../db/createBindings.ts'
import type { Database } from '../../db/Database.ts'
import { applySteps } from '../applySteps.ts'
import { type ClassRow, classColumns } from '../ClassRow.ts'
import type { ClassSchema } from '../ClassSchema.ts'
import { lockClass } from '../lockClass.ts'
import { describeSteps, type PlanLine } from './describeSteps.ts'
import { type Parts, userIdPattern } from './Parts.ts'
import { type PlannedClass, planFile } from './planFile.ts'

export type ApplyOptions = { dryRun?: boolean; allowDrops?: boolean }
export type Applied = { plan: PlanLine[]; applied: boolean }

/** Brings the classes to what a schema file says, all of it or nothing. Loses data only where that is allowed. */
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
    const planned = planFile(known, classes, { userId: userIdPattern(config) })
    const plan: PlanLine[] = []
    for (const one of planned) plan.push(...describeSteps(one, await countBeforeDrop(db, one)))
    if (dryRun || (!allowDrops && plan.some(({ drops }) => drops))) return { plan, applied: false }
    for (const { className, current, steps } of planned) await applySteps(db, className, current, steps)
    return { plan, applied: true }
  })
}

/** Locks every class, in one order whoever asks: two that lock crosswise would wait for each other. */
async function lockAll(db: Database, named: string[]): Promise<Map<string, ClassSchema>> {
  const rows = await db.query<ClassRow>({ text: `select ${classColumns} from countersign.classes` })
  const known = new Map<string, ClassSchema>()
  for (const className of [...new Set([...named, ...rows.map((row) => row.className)])].sort()) {
    const schema = await lockClass(db, className)
    if (schema) known.set(className, schema)
  }
  return known
}

async function countBeforeDrop(db: Database, { className, steps }: PlannedClass): Promise<number | undefined> {
  if (!steps.some(({ kind }) => kind === 'dropClass')) return undefined
  const [row] = await db.query<{ count: number }>({
    text: `select count(*)::integer as count from ${tableOf(className)}`,
  })
  return row?.count
}
