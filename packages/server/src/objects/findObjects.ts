import { CountersignError, type EndpointTypes, type WireFields, type WireValue } from '@countersign/protocol'
import { type ClassSchema, emptySchema } from '../classes/ClassSchema.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import type { Sent } from '../endpoint/Endpoint.ts'
import { type Responded, respondWritten } from '../endpoint/respond.ts'
import { runAfterFind } from '../hooks/runHooks.ts'
import type { Decision } from '../permissions/Decision.ts'
import { decide, refuseInternal } from '../permissions/decide.ts'
import { all } from '../queries/Condition.ts'
import { fingerprintQuery, readCursor, writeCursor } from '../queries/cursors.ts'
import type { QueryScope } from '../queries/QueryParser.ts'
import { type Find, isGet, readFind, readOrder } from '../queries/readFind.ts'
import { readWhere } from '../queries/readWhere.ts'
import { unexpired } from '../queries/unexpired.ts'
import { type Access, accessOf } from '../roles/accessOf.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import type { JsonRow } from './decodeObject.ts'
import { askFindHooks } from './find/askFindHooks.ts'
import { checkEstimate, estimateCount } from './find/estimateCount.ts'
import { checkHint, explainStatement } from './find/queryPlans.ts'
import { fetchRows, runFind } from './find/runFind.ts'
import { createSelection } from './find/Selection.ts'
import { nameSource, type StaleReads, stalenessOf } from './find/staleReads.ts'
import { isPlainFind, transcribeIncludes } from './find/transcribeIncludes.ts'
import { transcribeRows } from './find/transcribeRows.ts'
import { type ReadyFind, writeCount, writeFind } from './find/writeFind.ts'
import { findClass } from './findClass.ts'
import { extraColumns, fetchedFields, finishObjects } from './includeObjects.ts'

type Input = { [name: string]: WireValue }
export type FindAnswer = {
  results: WireFields[] | WireValue[]
  count?: number
  /** The count is an estimate. */
  isEstimate?: true
  cursor?: string
  className?: string
}

/** The objects of a class that a query finds and the caller may read. A class that is not there has none. */
export async function findObjects(
  context: Context,
  caller: Caller,
  className: string,
  input: Input,
): Promise<FindAnswer> {
  const stale = stalenessOf(context.config, input.maxStaleness)
  return (await answerFind(context, caller, className, input, { asText: false, stale })) as FindAnswer
}

type Answering = { asText: boolean; stale: StaleReads | undefined }

/** The same; with `asText` as its JSON, where that is all that is needed of it. */
async function answerFind(
  context: Context,
  caller: Caller,
  className: string,
  input: Input,
  { asText, stale }: Answering,
): Promise<FindAnswer | Responded<FindAnswer>> {
  const access = await accessOf(context, caller)
  const scope: QueryScope = { classes: context.classes, config: context.config, access, now: context.clock.now() }
  const asked = readFind(scope, input)
  // The target of a field is a fact about its class.
  if (access.scope && asked.redirectClassNameForKey !== undefined) refuseInternal(access, className, 'find')
  const target = await redirect(context, className, asked.redirectClassNameForKey)
  if (target === '_Session' && !caller.isMaster) requireSession(caller)
  return withFreshClasses(context.classes, async () => {
    refuseInternal(access, target, isGet(asked.where) ? 'get' : 'find')
    const schema = await findClass(context, target)
    // Hooks do not run for callers without permission.
    if (schema && context.registry.hooks.size > 0) decideFind(schema, access, asked)
    const hooked = await askFindHooks(context, caller, target, input, asked)
    const find = hooked === input ? asked : readFind(scope, hooked)
    if (!schema) return named(className, target, nothing(scope, target, find))
    const isText = asText && target === className && find.cursor === undefined
    const answer = await run(context, caller, scope, schema, find, { asText: isText, stale })
    return isText ? answer : named(className, target, answer as FindAnswer)
  })
}

/** Results of a query that was redirected to another class name it. */
function named(className: string, target: string, answer: FindAnswer): FindAnswer {
  if (target === className) return answer
  const results = answer.results.map((object) => ({ ...(object as WireFields), className: target }))
  return { ...answer, results, className: target }
}

/** A mistake in the query is reported even so: a client must not find out only once there are objects. */
function nothing(scope: QueryScope, className: string, find: Find): FindAnswer {
  const unknown = emptySchema(className)
  if (find.count === 'estimate') checkEstimate(scope.access)
  readOrder(scope, unknown, find.order, readWhere(scope, unknown, find.where))
  return find.count ? { results: [], count: 0 } : { results: [] }
}

/** Class that a pointer or relation leads to, if the query redirects to it. */
async function redirect(context: Context, className: string, key: string | undefined): Promise<string> {
  if (key === undefined) return className
  const schema = await findClass(context, className)
  return schema?.relations.get(key) ?? schema?.fields.get(key)?.targetClass ?? className
}

function decideFind(schema: ClassSchema, access: Access, { where, limit, count }: Find): Decision {
  if (limit === 0 && count) return decide(schema, access, 'count')
  return decide(schema, access, isGet(where) ? 'get' : 'find')
}

async function run(
  context: Context,
  caller: Caller,
  scope: QueryScope,
  schema: ClassSchema,
  find: Find,
  { asText, stale }: Answering,
): Promise<FindAnswer | Responded<FindAnswer>> {
  const { access } = scope
  checkHint(schema, find.hint)
  if (find.count === 'estimate') checkEstimate(access)
  const decision = decideFind(schema, access, find)
  const condition = all([readWhere(scope, schema, find.where), unexpired(schema, scope.now)])
  const sorts = readOrder(scope, schema, find.order, condition)
  const selection = createSelection(context.config, schema, find)
  const page = find.cursor === undefined ? undefined : fingerprintQuery(schema.className, find.where, find.order)
  const ready: ReadyFind = {
    schema,
    access,
    decision,
    condition,
    sorts,
    fields: fetchedFields(context, schema, access, selection),
    extra: extraColumns(schema),
    score: selection.score,
    // One row more than the limit shows if there is another page.
    limit: page === undefined ? find.limit : find.limit + 1,
    skip: find.skip,
    after: page === undefined ? undefined : startOfPage(page, find.cursor, sorts.length, sorts),
    stale,
  }
  if (find.explain) return { results: await explain(context, caller, ready) }
  const isEmpty = condition.kind === 'constant' && !condition.holds
  const isNothing = find.limit === 0 || isEmpty || decision.rows === 'none'
  const text = isNothing ? '[]' : await fetchRows(context, ready, 'find')
  const asked = find.count ? { ...ready, decision: decide(schema, access, 'count') } : undefined
  if (asText && isPlainFind(context, access, schema, selection)) {
    const { include } = selection
    const list =
      include.size === 0
        ? transcribeRows(context, schema, text)
        : await transcribeIncludes(context, access, schema, text, include, stale)
    const counted = list !== undefined && asked && (await countObjects(context, asked, find.count === 'estimate'))
    const more = counted ? `,${JSON.stringify(counted).slice(1, -1)}` : ''
    if (list !== undefined) return respondWritten<FindAnswer>(`{"results":${list}${more}}`)
  }
  const rows: JsonRow[] = JSON.parse(text)
  const cursor = page === undefined ? undefined : endOfPage(page, rows, find.limit)
  const found = await finishObjects(context, caller, access, schema, rows, selection, stale)
  const { where = {}, limit, skip } = find
  const event = { className: schema.className, query: { where, limit, skip }, objects: found, isGet: false }
  const results = await runAfterFind(context, caller, event)
  const counted = asked && (await countObjects(context, asked, find.count === 'estimate'))
  return { results, ...counted, ...(cursor !== undefined && { cursor }) }
}

async function countObjects(
  context: Context,
  ready: ReadyFind,
  mayEstimate: boolean,
): Promise<Pick<FindAnswer, 'count' | 'isEstimate'>> {
  if (ready.decision.rows === 'none') return { count: 0 }
  const estimate = mayEstimate ? await estimateCount(context, ready) : undefined
  if (estimate !== undefined) return { count: estimate, isEstimate: true }
  const [answer] = await runFind<{ count: number }>(context, ready, 'count', writeCount(ready))
  return { count: Number(answer?.count ?? 0) }
}

function startOfPage(
  page: string,
  cursor: string | true | undefined,
  length: number,
  sorts: ReadyFind['sorts'],
): WireValue[] {
  if (typeof cursor !== 'string') return []
  const hasId = sorts.some((sort) => sort.by === 'place' && sort.place.field === 'objectId')
  return readCursor(page, cursor, hasId ? length : length + 1)
}

/** Removes the row beyond the page and returns the end of the page; `undefined` if it was the last. */
function endOfPage(page: string, rows: JsonRow[], limit: number): string | undefined {
  if (limit === 0 || rows.length <= limit) return undefined
  rows.length = limit
  return writeCursor(page, rows.at(-1)?._cursor as WireValue[])
}

/** Explains a query. Restricted, because the plan reveals facts about other documents. */
function explain(context: Context, caller: Caller, ready: ReadyFind): Promise<WireValue[]> {
  if (!caller.isMaster && !context.config.allowPublicExplain) {
    throw new CountersignError('InvalidQuery', 'explain needs the master key, unless allowPublicExplain is set.')
  }
  return explainStatement(context, writeFind(ready))
}

type FindName = 'findObjects' | 'findUsers' | 'listSessions'

/** Finds records of a class. The result has another type only for a plan. */
export async function findRecords<Name extends FindName>(
  context: Context,
  caller: Caller,
  className: string,
  input: object,
  sent?: Sent,
) {
  const stale = stalenessOf(context.config, (input as Input).maxStaleness, sent)
  const answer = await answerFind(context, caller, className, input as Input, { asText: true, stale })
  return nameSource(answer, stale) as object as EndpointTypes[Name]['output']
}

export const findObjectsEndpoint = defineEndpoint('findObjects', {
  handle: ({ context, caller, input, params, sent }) =>
    findRecords<'findObjects'>(context, caller, params.className, input, sent),
})
