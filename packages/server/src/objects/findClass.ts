import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'

/** A class by name. One that is not known here may have been made on another server a moment ago. */
export async function findClass({ classes, db }: Context, className: string): Promise<ClassSchema | undefined> {
  const known = classes.find(className)
  if (known) return known
  const rows = await db.query({
    name: 'find-class',
    text: 'select 1 from countersign.classes where "className" = $1',
    values: [className],
  })
  if (rows.length === 0) return undefined
  await classes.refresh()
  return classes.find(className)
}
