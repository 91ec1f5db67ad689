import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import { fillFileUrlsIn } from '../classes/fileUrls.ts'
import type { Context } from '../context/Context.ts'
import type { Fragment } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { decide } from '../permissions/decide.ts'
import { readResults } from '../queries/aggregate/readStages.ts'
import type { Scope } from '../queries/aggregate/Work.ts'
import { writeDistinct, writePipeline } from '../queries/aggregate/writePipeline.ts'
import type { QueryScope } from '../queries/QueryParser.ts'
import { timeQuery } from '../queries/slowQueries.ts'
import type { Access } from '../roles/accessOf.ts'
import { checkHint, explainStatement } from './find/queryPlans.ts'
import { nameSource, readStale, type StaleReads, stalenessOf } from './find/staleReads.ts'
import { findClass } from './findClass.ts'

export type AggregateInput = {
  pipeline?: WireValue
  distinct?: WireValue
  where?: WireValue
  hint?: WireValue
  explain?: boolean
  stale?: StaleReads | undefined
}

/** No access list is asked. */
const master: Access = { isMaster: true, entities: ['*'] }

type Written = { statement: Fragment; scope: Scope; shape: () => string }

/** Carries out a pipeline, or finds the distinct values of a field. For the master key: no access list is asked. */
async function aggregateObjects(
  context: Context,
  access: Access,
  className: string,
  input: AggregateInput,
): Promise<{ results: WireValue[] }> {
  return withFreshClasses(context.classes, async () => {
    const schema = await findClass(context, className)
    return { results: schema ? await run(context, access, schema, input) : [] }
  })
}

async function run(context: Context, access: Access, schema: ClassSchema, input: AggregateInput): Promise<WireValue[]> {
  checkHint(schema, input.hint)
  decide(schema, access, 'find')
  const { statement, scope, shape } = write(context, access, schema, input)
  if (input.explain) return explainStatement(context, statement)
  const description = {
    className: schema.className,
    operation: input.distinct === undefined ? 'aggregate' : 'distinct',
    shape,
  }
  type Row = { row: Record<string, unknown> }
  const { stale } = input
  const read = stale && (() => readStale<Row>(context, { schema, access }, stale, statement))
  const rows = await timeQuery<Row>(context, description, statement, read).catch(refuseValues)
  const results = readResults(
    scope,
    rows.map(({ row }) => row),
  )
  fillFileUrlsIn(context, results)
  return input.distinct === undefined ? results : results.map((result) => result.value as WireValue)
}

function write(context: Context, access: Access, schema: ClassSchema, input: AggregateInput): Written {
  const { classes, config, clock } = context
  const scope: QueryScope = { classes, config, access, now: clock.now() }
  if (input.distinct === undefined) {
    return { ...writePipeline(scope, schema, input.pipeline), shape: () => describePipeline(input.pipeline) }
  }
  return { ...writeDistinct(scope, schema, input.distinct, input.where), shape: () => `distinct ${input.distinct}` }
}

/** The names of the stages: what they hold may be secret. */
function describePipeline(pipeline: WireValue | undefined): string {
  const stages = Array.isArray(pipeline) ? pipeline : [pipeline]
  return stages.flatMap((stage) => Object.keys(stage ?? {})).join(' ')
}

function refuseValues(error: unknown): never {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !/^22/.test(code)) throw error
  throw new CountersignError(
    'InvalidQuery',
    'The pipeline can’t process a value: a number is out of range, or a string is not a number or date.',
    { cause: error },
  )
}

export const aggregateEndpoint = defineEndpoint('aggregate', {
  async handle({
    context,
    caller,
    params,
    sent,
    input: { pipeline, distinct, where, hint, explain, maxStaleness, ...stages },
  }) {
    const stale = stalenessOf(context.config, maxStaleness, sent)
    for (const name of Object.keys(stages)) {
      if (name.startsWith('$')) continue
      if (!unused.has(name)) {
        throw new CountersignError('InvalidQuery', `Invalid parameter for query: ${name.slice(0, 100)}`)
      }
      delete stages[name]
    }
    const tokenScope = caller.token?.grant.scope
    const access = tokenScope ? { ...master, scope: tokenScope } : master
    const found = await aggregateObjects(context, access, params.className, {
      ...(distinct === undefined ? { pipeline: pipeline ?? stages } : { distinct }),
      ...(where !== undefined && { where }),
      ...(hint !== undefined && { hint }),
      explain: explain === true || explain === 'true',
      stale,
    })
    return nameSource(found, stale)
  },
})

const unused = new Set(['comment', 'readPreference'])
