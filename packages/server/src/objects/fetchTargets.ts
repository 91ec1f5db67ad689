import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { runAfterFind } from '../hooks/runAfterFind.ts'
import type { Decision } from '../permissions/Decision.ts'
import { findDecision } from '../permissions/findDecision.ts'
import { hiddenFields, stripHidden } from '../permissions/hiddenFields.ts'
import type { Condition } from '../queries/Condition.ts'
import { all, always } from '../queries/conditions.ts'
import { liveSessions } from '../queries/liveSessions.ts'
import { readWhere } from '../queries/readWhere.ts'
import type { Access } from '../roles/Access.ts'
import { accessOf } from '../roles/accessOf.ts'
import { askFindHooks } from './askFindHooks.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'
import { runFind } from './runFind.ts'
import { type ReadyFind, writeFind } from './writeFind.ts'

/** Objects by class and id. */
export type Found = Map<string, Map<string, WireFields>>

/** What pointers lead to, as far as the caller may read it: one statement for each class. */
export async function fetchTargets(
  context: Context,
  caller: Caller,
  access: Access,
  wanted: Map<string, Set<string>>,
): Promise<Found> {
  const fetched = await Promise.all(
    [...wanted].map(async ([className, ids]): Promise<[string, Map<string, WireFields>]> => {
      const schema = context.classes.find(className)
      // A class that the caller may not read from is one whose objects are not to be read.
      const decision = schema && findDecision(schema, access, 'get')
      if (!schema || !decision) return [className, new Map()]
      return [className, await fetchObjects(context, caller, access, schema, decision, [...ids])]
    }),
  )
  return new Map(fetched)
}

async function fetchObjects(
  context: Context,
  caller: Caller,
  access: Access,
  schema: ClassSchema,
  decision: Decision,
  ids: string[],
): Promise<Map<string, WireFields>> {
  const place = { field: 'objectId', type: 'String', path: [] } as const
  // Twice the one id: a list of one would be written as another statement than a list of many.
  const values = ids.length === 1 ? [...ids, ...ids] : ids
  const condition = all([
    { kind: 'equals', place, values },
    liveSessions(schema, context.clock.now()),
    await narrowByHooks(context, caller, schema, ids),
  ])
  const find: ReadyFind = { schema, access, decision, condition, sorts: [] }
  const [answer] = await runFind<{ rows: JsonRow[] }>(context, find, 'include', writeFind(find))
  const hidden = hiddenFields(context.config, schema, access)
  const objects = (answer?.rows ?? []).map((row) =>
    stripHidden(hidden, schema, access, fillFileUrls(context, schema, decodeObject(schema, row))),
  )
  const { className } = schema
  const shown = await runAfterFind(context, caller, { className, objects, isGet: false })
  return new Map(shown.map((object) => [String(object.objectId), object]))
}

/** What hooks make of the question for these objects can leave some of them out, and can add none. */
async function narrowByHooks(context: Context, caller: Caller, schema: ClassSchema, ids: string[]): Promise<Condition> {
  const { className } = schema
  if (!findHooks(context, 'beforeFind', className)) return always
  const input = { where: { objectId: { $in: ids } }, limit: ids.length }
  const { where } = await askFindHooks(context, caller, className, input, { limit: ids.length, count: false })
  const { classes, config, clock } = context
  return readWhere({ classes, config, access: await accessOf(context, caller), now: clock.now() }, schema, where)
}
