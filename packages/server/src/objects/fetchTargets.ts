import { CountersignError, type WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'
import type { Decision } from '../permissions/Decision.ts'
import { decide } from '../permissions/decide.ts'
import { hiddenFields, stripHidden } from '../permissions/hiddenFields.ts'
import { all } from '../queries/conditions.ts'
import { liveSessions } from '../queries/liveSessions.ts'
import type { Access } from '../roles/Access.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'
import { runFind } from './runFind.ts'
import { type ReadyFind, writeFind } from './writeFind.ts'

/** Objects by class and id. */
export type Found = Map<string, Map<string, WireFields>>

/** What pointers lead to, as far as the caller may read it: one statement for each class. */
export async function fetchTargets(context: Context, access: Access, wanted: Map<string, Set<string>>): Promise<Found> {
  const fetched = await Promise.all(
    [...wanted].map(async ([className, ids]): Promise<[string, Map<string, WireFields>]> => {
      const schema = context.classes.find(className)
      const decision = schema && findDecision(schema, access)
      if (!schema || !decision) return [className, new Map()]
      return [className, await fetchObjects(context, access, schema, decision, [...ids])]
    }),
  )
  return new Map(fetched)
}

/** A class that the caller may not read from is one whose objects are not to be read. */
function findDecision(schema: ClassSchema, access: Access): Decision | undefined {
  try {
    const decision = decide(schema, access, 'get')
    return decision.rows === 'none' ? undefined : decision
  } catch (error) {
    if (error instanceof CountersignError) return undefined
    throw error
  }
}

async function fetchObjects(
  context: Context,
  access: Access,
  schema: ClassSchema,
  decision: Decision,
  ids: string[],
): Promise<Map<string, WireFields>> {
  const place = { field: 'objectId', type: 'String', path: [] } as const
  // Twice the one id: a list of one would be written as another statement than a list of many.
  const values = ids.length === 1 ? [...ids, ...ids] : ids
  const condition = all([{ kind: 'equals', place, values }, liveSessions(schema, context.clock.now())])
  const find: ReadyFind = { schema, access, decision, condition, sorts: [] }
  const [answer] = await runFind<{ rows: JsonRow[] }>(context, find, 'include', writeFind(find))
  const hidden = hiddenFields(context.config, schema, access)
  return new Map(
    (answer?.rows ?? []).map((row) => [row.objectId, stripHidden(hidden, schema, access, decodeObject(schema, row))]),
  )
}
