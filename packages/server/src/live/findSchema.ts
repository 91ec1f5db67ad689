import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Change } from './feed/Feed.ts'
import type { LiveParts } from './LiveParts.ts'

/** Versions of classes that do not know a column of a row even when read anew: the field was dropped meanwhile. */
const lacking = new WeakSet<ClassSchema>()
const own = new Set(['objectId', 'createdAt', 'updatedAt'])

/** The class as it must be known to read a row of it: another server may have made a field a moment ago. */
export function findSchema(
  { context }: LiveParts,
  { className, before, after }: Change,
): ClassSchema | undefined | Promise<ClassSchema | undefined> {
  const { classes } = context
  const schema = classes.find(className)
  if (schema && (lacking.has(schema) || (isKnown(schema, before) && isKnown(schema, after)))) return schema
  return classes.refresh().then(() => {
    const fresh = classes.find(className)
    if (fresh && !(isKnown(fresh, before) && isKnown(fresh, after))) lacking.add(fresh)
    return fresh
  })
}

function isKnown(schema: ClassSchema, row: Change['after']): boolean {
  if (!row) return true
  for (const name in row) {
    if (!schema.fields.has(name) && !own.has(name) && name.charCodeAt(0) !== 95) return false
  }
  return true
}
