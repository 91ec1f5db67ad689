import type { WireFields } from '@countersign/protocol'
import { echoAuthData } from '../auth/older/echoAuthData.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { reviveRow } from '../classes/reviveRow.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { hiddenFields, stripHidden } from '../permissions/hiddenFields.ts'
import type { Access } from '../roles/Access.ts'
import { encodeSession, type SessionRow } from '../users/encodeSession.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'
import { includeObjects } from './includeObjects.ts'
import { projectObject } from './projectObject.ts'
import type { Selection } from './Selection.ts'

/** Columns of the server's own that an object of the class is made with. */
export function extraColumns({ className }: ClassSchema): string[] {
  return className === '_Session' ? ['_proof'] : []
}

/**
 * The fields to fetch: what was asked for, what leads to what is included, and what decides what the caller may see.
 * `undefined` for all of them.
 */
export function fetchedFields(
  { config }: Context,
  schema: ClassSchema,
  access: Access,
  { keys }: Selection,
): ReadonlySet<string> | undefined {
  if (!keys) return undefined
  return new Set([...keys.keys(), ...hiddenFields(config, schema, access).whereNamed.map(({ field }) => field)])
}

/** Rows as the objects that the caller gets: without what is hidden, with what is included, as far as asked for. */
export async function finishObjects(
  context: Context,
  caller: Caller,
  access: Access,
  schema: ClassSchema,
  rows: JsonRow[],
  selection: Selection,
): Promise<WireFields[]> {
  const hidden = hiddenFields(context.config, schema, access)
  const { keys, excludeKeys, include } = selection
  const wanted = keys && new Set(keys.keys())
  const objects = rows.map((row) => {
    const object = stripHidden(hidden, schema, access, decode(context, caller, schema, row, wanted))
    if (selection.score && typeof row._score === 'number') object.score = row._score
    return object
  })
  if (include.size > 0) await includeObjects(context, caller, access, objects, include)
  if (!keys && !excludeKeys) return objects
  if (selection.score) keys?.set('score', new Map())
  return objects.map((object) => projectObject(object, keys, excludeKeys))
}

function decode(
  context: Context,
  caller: Caller,
  schema: ClassSchema,
  row: JsonRow,
  wanted: ReadonlySet<string> | undefined,
): WireFields {
  if (schema.className === '_Session') {
    const proof = typeof row._proof === 'string' ? Buffer.from(row._proof.slice(2), 'hex') : null
    return encodeSession(context, caller, { ...reviveRow(schema, row), _proof: proof } as SessionRow) as WireFields
  }
  const object = fillFileUrls(context, schema, decodeObject(schema, row, wanted))
  if (schema.className !== '_User' || caller.session?.userId !== object.objectId) return object
  // Ways in are for the user's own eyes.
  const authData = echoAuthData(object, caller.session?.isAnonymous === true)
  return Object.keys(authData).length > 0 ? { ...object, authData } : object
}
