import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { decodeAcl } from '../classes/acl.ts'
import { applyChanges } from '../classes/applyChanges.ts'
import { initialValues, relationsOf, typesOf } from '../classes/Change.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks, hookResponse, runAfter, runBefore } from '../hooks/runHooks.ts'
import { hiddenFields, omitHidden } from '../permissions/hiddenFields.ts'
import { accessOf } from '../roles/accessOf.ts'
import { type ObjectInput, readObject } from './readObject.ts'

type Save<Answer> = {
  schema: ClassSchema
  object: ObjectInput
  /** Absent for a new object. Checks that the caller may write it: hooks run for nobody else. */
  getOriginal?: () => Promise<WireFields>
  write(schema: ClassSchema, object: ObjectInput): Promise<Answer>
}

/** A write with the application's hooks around it: what they write before it is kept or undone with it. */
export async function saveWithHooks<Answer extends WireFields>(
  context: Context,
  caller: Caller,
  { schema, object, getOriginal, write }: Save<Answer>,
): Promise<Answer> {
  const { className } = schema
  const access = await accessOf(context, caller)
  return context.db.transaction(async () => {
    const original = await getOriginal?.()
    const event = { className, ...(original && { original }) }
    const handlers = findHooks(context, 'beforeSave', className) ?? []
    const own = await runBefore(handlers, caller, { ...event, hook: 'beforeSave', object: after(original, object) })
    const isChanged = Object.keys(own).length > 0
    const whole = isChanged ? applyHookChanges(object, own) : object
    // Values set by hooks are the operator's: callers who may not add fields can still save.
    const fitting = isChanged ? await widen(context, schema, whole) : schema
    const answer = await write(fitting, whole)
    const { unaskable } = hiddenFields(context.config, fitting, access)
    const shown = { ...hookResponse(context, own, unaskable), ...omitHidden(answer, unaskable) }
    const saved: WireFields = { ...after(original, whole), ...answer }
    if (!original && saved.createdAt !== undefined) saved.updatedAt = saved.createdAt
    await runAfter(context, caller, { ...event, hook: 'afterSave', object: saved }, shown)
    return shown
  })
}

function widen({ classes }: Context, { className }: ClassSchema, { changes }: ObjectInput): Promise<ClassSchema> {
  return classes.widen(className, typesOf(changes), { relations: relationsOf(changes) })
}

/** The document after the write, as far as it is known before. */
function after(original: WireFields | undefined, { changes, acl }: ObjectInput): WireFields {
  const { ACL, ...fields } = original ? applyChanges(original, changes) : Object.fromEntries(initialValues(changes))
  const kept = acl ? (decodeAcl(acl) as WireValue | undefined) : ACL
  return { ...fields, ...(kept !== undefined && { ACL: kept }) }
}

function applyHookChanges(object: ObjectInput, own: WireChanges): ObjectInput {
  const { acl = object.acl, changes } = readObject(own)
  const kept = object.changes.filter(({ field }) => !Object.hasOwn(own, field))
  return { objectId: object.objectId, acl, changes: [...kept, ...changes] }
}
