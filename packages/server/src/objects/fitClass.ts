import { CountersignError } from '@countersign/protocol'
import { type Change, relationsOf, typesOf } from '../classes/Change.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { lacksNothing, missingFields } from '../classes/columns.ts'
import { checkClassName } from '../classes/names.ts'
import type { Context } from '../context/Context.ts'
import { decideNewFields, mostFieldsFor } from '../permissions/checkWrite.ts'
import type { Decision } from '../permissions/Decision.ts'
import { decide } from '../permissions/decide.ts'
import type { Access } from '../roles/accessOf.ts'

/** The class of a new object, made and widened as the object needs it and the caller may. */
export async function fitNewObject(
  context: Context,
  access: Access,
  className: string,
  changes: Change[],
): Promise<ClassSchema> {
  const { classes, config } = context
  const fields = typesOf(changes)
  const relations = relationsOf(changes)
  const schema = classes.find(className)
  const most = mostFieldsFor(className, access)
  if (!schema) {
    checkClassName(className)
    const create = access.isMaster || config.allowClientClassCreation
    return classes.widen(className, fields, { relations, create, most })
  }
  decide(schema, access, 'create')
  if (lacksNothing(missingFields(schema, { fields, relations }))) return schema
  if (decideNewFields(config, schema, access).rows !== 'all') {
    throw new CountersignError('OperationForbidden', `Permission denied for action addField on class ${className}.`)
  }
  return classes.widen(className, fields, { relations, most })
}

/**
 * Class of an object to change, with its permissions. `reach` rejects objects that the caller may not write: without
 * write access, nobody may add fields to the class.
 */
export async function fitChange(
  context: Context,
  access: Access,
  schema: ClassSchema,
  changes: Change[],
  reach: (decisions: Decision[]) => Promise<void>,
): Promise<{ schema: ClassSchema; decisions: Decision[] }> {
  // An element of a list that no object has yet: what it would be counted up from is not there.
  const absent = changes.find(
    ({ field, path, kind }) => kind !== 'set' && /^\d+$/.test(path[0] ?? '') && !schema.fields.has(field),
  )
  if (absent)
    throw new CountersignError(
      'IncorrectType',
      `The list ${absent.field} does not exist, so its elements cannot be changed.`,
    )
  const wanted = { fields: typesOf(changes), relations: relationsOf(changes) }
  const decisions = [decide(schema, access, 'update')]
  if (lacksNothing(missingFields(schema, wanted))) return { schema, decisions }
  decisions.push(decideNewFields(context.config, schema, access))
  await reach(decisions)
  const widened = await context.classes.widen(schema.className, wanted.fields, {
    relations: wanted.relations,
    most: mostFieldsFor(schema.className, access),
  })
  return { schema: widened, decisions }
}
