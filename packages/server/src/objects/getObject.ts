import { CountersignError, type EndpointTypes, refuse, type WireFields, type WireValue } from '@countersign/protocol'
import { withFreshClasses } from '../classes/createClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import type { Sent } from '../endpoint/Endpoint.ts'
import { type Responded, respondWritten } from '../endpoint/respond.ts'
import { askSubqueries } from '../hooks/askSubqueries.ts'
import { findHooks, runAfterFind, runBeforeFind } from '../hooks/runHooks.ts'
import { decide, refuseInternal } from '../permissions/decide.ts'
import { all, always } from '../queries/Condition.ts'
import { readSelection } from '../queries/readFind.ts'
import { readWhere } from '../queries/readWhere.ts'
import { unexpired } from '../queries/unexpired.ts'
import { accessOf } from '../roles/accessOf.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import { refuseForeignDevice } from './devices.ts'
import { fetchRows } from './find/runFind.ts'
import { createSelection } from './find/Selection.ts'
import { nameSource, type StaleReads, stalenessOf } from './find/staleReads.ts'
import { isPlainFind, transcribeIncludes } from './find/transcribeIncludes.ts'
import { transcribeRows } from './find/transcribeRows.ts'
import type { ReadyFind } from './find/writeFind.ts'
import { findClass } from './findClass.ts'
import { extraColumns, fetchedFields, finishObjects } from './includeObjects.ts'

const known = new Set([
  'keys',
  'excludeKeys',
  'include',
  'maxStaleness',
  'readPreference',
  'includeReadPreference',
  'subqueryReadPreference',
])

type Input = { [name: string]: WireValue }

/** One object, if it is there and the caller may read it. */
export async function getObject(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
  input: Input,
): Promise<WireFields> {
  const stale = stalenessOf(context.config, input.maxStaleness)
  return (await answerObject(context, caller, className, objectId, input, { asText: false, stale })) as WireFields
}

/** The same; with `asText` as its JSON, where that is all that is needed of it. */
async function answerObject(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
  input: Input,
  { asText, stale }: { asText: boolean; stale: StaleReads | undefined },
): Promise<WireFields | Responded<WireFields>> {
  const unknown = Object.keys(input).find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new CountersignError('InvalidQuery', `Improper encode of parameter: ${unknown.slice(0, 100)}`)
  }
  const access = await accessOf(context, caller)
  const isDevice = className === '_Installation'
  if (isDevice) await refuseForeignDevice(context, caller, objectId)
  else refuseInternal(access, className, 'get')
  if (className === '_Session' && !caller.isMaster) requireSession(caller)
  return withFreshClasses(context.classes, async () => {
    const schema = await findClass(context, className)
    if (!schema) throw notFound()
    const decision = decide(schema, isDevice ? { ...access, isMaster: true } : access, 'get')
    const place = { field: 'objectId', type: 'String', path: [] } as const
    const handlers = findHooks(context, 'beforeFind', className)
    const ask = () => ({ className, query: { ...input, where: { objectId } }, isGet: true, isCount: false })
    const asked = handlers ? await runBeforeFind(handlers, caller, ask()) : undefined
    const selection = createSelection(context.config, schema, readSelection(asked ?? input))
    const now = context.clock.now()
    const asking = { classes: context.classes, config: context.config, access, now }
    const ready: ReadyFind = {
      schema,
      access,
      decision,
      condition: all([
        { kind: 'equals', place, values: [objectId] },
        unexpired(schema, now),
        // Hooks may leave the object out; they cannot put another in its place.
        asked ? readWhere(asking, schema, await askSubqueries(context, caller, asked.where)) : always,
      ]),
      sorts: [],
      fields: fetchedFields(context, schema, access, selection),
      extra: extraColumns(schema),
      stale,
    }
    const text = await fetchRows(context, ready, 'get')
    if (asText && isPlainFind(context, access, schema, selection)) {
      const { include } = selection
      const list =
        include.size === 0
          ? transcribeRows(context, schema, text)
          : await transcribeIncludes(context, access, schema, text, include, stale)
      if (list === '[]') throw notFound()
      if (list !== undefined) return respondWritten<WireFields>(list.slice(1, -1))
    }
    const found = await finishObjects(context, caller, access, schema, JSON.parse(text), selection, stale)
    if (found.length === 0) throw notFound()
    const [object] = await runAfterFind(context, caller, { className, objects: found, isGet: true })
    if (!object) throw notFound()
    // The older clients drop their session when a fetch of the own user does not echo the token.
    const isSelf = className === '_User' && caller.session?.userId === objectId
    return isSelf ? { ...object, sessionToken: caller.session?.token ?? '' } : object
  })
}

function notFound(): CountersignError {
  return refuse('objectNotFound')
}

/** Typed by the contract's response. */
export async function getRecord<Name extends 'getObject' | 'getUser' | 'getSession'>(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
  input: object,
  sent?: Sent,
) {
  const stale = stalenessOf(context.config, (input as Input).maxStaleness, sent)
  const found = await answerObject(context, caller, className, objectId, input as Input, { asText: true, stale })
  return nameSource(found, stale) as object as EndpointTypes[Name]['output']
}

export const getObjectEndpoint = defineEndpoint('getObject', {
  handle: ({ context, caller, input, params, sent }) =>
    getRecord<'getObject'>(context, caller, params.className, params.objectId, input, sent),
})
