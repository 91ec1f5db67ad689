import { type BatchAnswer, CountersignError } from '@countersign/protocol'
import { withFreshClasses } from '../classes/createClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createInsertGroup } from '../db/createInsertGroup.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint, type InputOf } from '../endpoint/defineEndpoint.ts'
import type { Body, Dispatch, HandlerRequest } from '../endpoint/Endpoint.ts'
import { accessOf } from '../roles/accessOf.ts'
import { describeError } from './request/answerError.ts'
import { identifyAgain } from './request/identify.ts'
import { listMounts } from './request/requestTarget.ts'
import { runIdempotent } from './request/runIdempotent.ts'

export const batchEndpoint = defineEndpoint('batch', {
  handle: (request) => runBatch(request) as Promise<BatchAnswer[]>,
})

type Found = ReturnType<Dispatch>

type Request = Parameters<Dispatch>[0]

/** How many of a batch are under way at once: more would keep everyone else from the database. */
const atOnce = 4

type Input = InputOf<'batch'>

async function runBatch({ context, caller, input, dispatch }: HandlerRequest<Input, object>): Promise<object> {
  const requests = readRequests(context, input.requests)
  const found = requests.map(dispatch)
  if (input.transaction !== true) return runEach(context, caller, found)
  const stranger = found.find(({ endpoint }) => !endpoint.once && endpoint.method !== 'GET')
  if (stranger) {
    throw new CountersignError(
      'InvalidJson',
      `${stranger.endpoint.method} ${stranger.endpoint.path} cannot be part of a transaction. Send it separately.`,
    )
  }
  const { requestId } = caller
  let tries = 0
  const begin = () => lockTargets(context, requests, ++tries > 1)
  const work = () => runTogether(context, caller, found, begin)
  if (requestId === undefined) return work()
  return runIdempotent(context, caller, { requestId, method: 'POST', path: '/batch', body: input as Body }, work)
}

async function runTogether(
  context: Context,
  caller: Caller,
  found: Found[],
  begin: () => Promise<void>,
): Promise<object> {
  // Looked up outside the transaction, where nothing unfinished can be seen and cached.
  await accessOf(context, caller)
  const { queryTimeout } = context.config.requestComplexity
  const work = async () => {
    const answers: object[] = []
    await begin()
    const start = performance.now()
    for (const { run } of found) {
      // Its changed rows are locked for everyone else.
      if (!caller.isMaster && performance.now() - start > queryTimeout) {
        throw new CountersignError(
          'Timeout',
          `The transaction took longer than ${queryTimeout} ms. Split it into smaller ones.`,
        )
      }
      answers.push({ success: await run().catch(refuseWhole) })
    }
    // The last part may have taken its time, too.
    await identifyAgain(context, caller)
    return answers
  }
  return withFreshClasses(context.classes, () => context.db.transaction(work, { tries: 5 }))
}

/**
 * Locks the targets in one order: two transactions that change the same objects in different orders would deadlock.
 * Remaining conflicts, over new fields for example, are retried alone.
 */
async function lockTargets({ db }: Context, requests: Request[], isAlone: boolean): Promise<void> {
  const targets = requests.filter(({ method }) => method === 'PUT' || method === 'DELETE').map(({ path }) => path)
  await db.query(
    sql`select pg_advisory_xact_lock${sql.raw(isAlone ? '' : '_shared')}(hashtext('countersign:transactions'), 0)`,
  )
  await db.query(sql`
    select pg_advisory_xact_lock(hashtext('countersign:object'), key)
    from (
      select distinct hashtext(path) as key from unnest(${targets}::text[]) as path order by key
    ) as locked`)
}

/** It is the batch that is refused: it was found. */
function refuseWhole(error: unknown): never {
  if (!(error instanceof CountersignError) || error.status !== 404) throw error
  throw new CountersignError(error.code, error.message, { status: 400, cause: error })
}

async function runEach(context: Context, caller: Caller, found: Found[]): Promise<object> {
  const answers: object[] = []
  const { requestId } = caller
  const workers: Promise<void>[] = []
  let next = 0
  let replaced = 0
  const work = async () => {
    for (let index = next++; index < found.length; index = next++) {
      const { run } = found[index] as Found
      try {
        // Each one runs once under its own id, so that a repeated batch continues where the first was cut off.
        answers[index] = { success: await run(requestId === undefined ? undefined : `${requestId} ${index}`) }
      } catch (error) {
        answers[index] = { error: describeError(error, context.log) }
      }
      if (replaced > 0) return void replaced--
    }
  }
  // An insert that waits for others to join it does not occupy the database: the next part begins.
  caller.inserts = createInsertGroup(context.db, () => {
    replaced++
    workers.push(work())
  })
  for (let count = Math.min(atOnce, found.length); count > 0; count--) workers.push(work())
  // Grows while it is waited for.
  for (const worker of workers) await worker
  return answers
}

function readRequests({ config, publicUrl }: Context, requests: Input['requests']): Request[] {
  if (requests.length > config.batchRequestLimit) {
    throw new CountersignError(
      'InvalidJson',
      `A batch can have at most ${config.batchRequestLimit} requests; this one has ${requests.length}.`,
    )
  }
  const prefixes = [`${new URL(publicUrl).pathname.replace(/\/+$/, '')}${config.mount}`, ...listMounts(config)]
  return requests.map(({ method, path, body = {} }) => {
    const prefix = prefixes.find((start) => path.toLowerCase().startsWith(`${start.toLowerCase()}/`))
    if (prefix === undefined) {
      throw new CountersignError('InvalidJson', `cannot route batch path ${path.slice(0, 200)}`, {
        details: `A path must start with ${config.mount}, such as ${config.mount}/classes/Game.`,
      })
    }
    return { method: method.toUpperCase(), path: path.slice(prefix.length), body }
  })
}
