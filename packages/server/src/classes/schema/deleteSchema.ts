import { CountersignError } from '@countersign/protocol'
import { tableOf } from '../../db/createBindings.ts'
import type { ClassStep } from '../ClassStep.ts'
import { isKeptClass } from '../classNames.ts'
import { checkSchemaName } from './checkSchemaName.ts'
import type { Parts } from './Parts.ts'
import { planReset } from './planSchema.ts'

/** Drops an empty class with all that it has. What the server cannot do without only goes back to its beginnings. */
export async function deleteSchema({ db, classes }: Parts, className: string): Promise<Record<never, never>> {
  checkSchemaName(className)
  await classes.change(className, async (current): Promise<ClassStep[]> => {
    if (!current) return []
    // An object that is made between the count and the drop would be lost.
    await db.query({ text: `lock table ${tableOf(className)} in access exclusive mode` })
    const [row] = await db.query<{ count: number }>({
      text: `select count(*)::integer as count from ${tableOf(className)}`,
    })
    if (row && row.count > 0) {
      throw new CountersignError(
        'InvalidSchemaOperation',
        `Class ${className} is not empty, contains ${row.count} objects, cannot drop schema.`,
      )
    }
    return isKeptClass(className) ? planReset(current) : [{ kind: 'dropClass' }]
  })
  return {}
}
