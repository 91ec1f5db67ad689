import { tableOf } from '../../db/createBindings.ts'
import { joinTableName } from '../joinTableName.ts'
import { withFreshClasses } from '../withFreshClasses.ts'
import type { Parts } from './Parts.ts'

/** Deletes every object of a class. The class itself stays. */
export async function purgeClass({ db, classes }: Parts, className: string): Promise<Record<never, never>> {
  await withFreshClasses(classes, () =>
    db.transaction(async () => {
      if (!classes.find(className)) return
      await db.query({ text: `delete from ${tableOf(className)}` })
      // Where clients choose ids, one that comes again must not find itself in the relations of the one before: a role, say.
      for (const schema of classes.list()) {
        for (const [field, targetClass] of schema.relations) {
          if (targetClass !== className) continue
          await db.query({ text: `delete from ${tableOf(joinTableName(schema.className, field))}` })
        }
      }
    }),
  )
  return {}
}
