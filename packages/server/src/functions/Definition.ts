import type { LiveEventName, WireFields } from '@countersign/protocol'
import type { z } from 'zod'
import type { CodeCaller, HookName } from '../context/Registry.ts'
import type { CodeObject } from './CodeValue.ts'
import type { CodeFields, Objects } from './createObjects.ts'

/** Known by its name and not by its class: code may be loaded beside the server, with a copy of this package of its own. */
export const mark = Symbol.for('countersign.definition')

/** Tools for all application code. */
export type Tools = {
  caller: CodeCaller
  /** Documents, with the rights of the caller. */
  objects: Objects
  /** Documents, above every rule. */
  masterObjects: Objects
  /** All of the work or nothing. Not in isolated functions, which are not in the server's process. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Aborted when the time is up: pass it to `fetch` and the like. */
  signal: AbortSignal
  /** Writes a line to the server's log. */
  log(message: string, details?: Record<string, unknown>): void
}

export type CallLimit = {
  /** Calls within the window. */
  count: number
  /** Milliseconds. */
  window: number
  /** Grouping of calls: by user by default, guests by address. */
  by?: 'user' | 'address'
}

export type FunctionTools<Input, User> = Tools & { input: Input; user: User }

export type FunctionOptions<Input, Output, RequireUser extends boolean> = {
  /** Its name for clients; without one that of the export, or of the file for the default export. */
  name?: string
  /** Input schema; other input is rejected with 142. */
  input?: z.ZodType<Input>
  /** Output schema: checked, and known to clients through `countersign types`. */
  output?: z.ZodType<Output>
  /** Guests are refused (209). */
  requireUser?: RequireUser
  /** Users who hold none of these roles are refused (119). The master key is not. */
  requireRoles?: readonly string[]
  /** A caller without the master key is refused (119). */
  requireMaster?: boolean
  rateLimit?: CallLimit
  /** Milliseconds; `functions.timeoutMs` of the configuration unless set. */
  timeoutMs?: number
  /** Runs in a separate process, which is killed if it takes too long or too much memory. */
  isolate?: boolean
  handle(
    tools: FunctionTools<Input, RequireUser extends true ? CodeObject : CodeObject | undefined>,
  ): Output | Promise<Output>
}

export type FunctionDefinition = Omit<FunctionOptions<unknown, unknown, false>, 'handle'> & {
  readonly [mark]: 'function'
  // Input was checked by the function's own schema.
  handle(tools: FunctionTools<never, never>): unknown
}

export type JobTools = Tools & {
  params: CodeFields
  /** Kept and shown: a sentence, and how far it has come (0 to 1). */
  progress(message: string, fraction?: number): Promise<void>
}

export type JobOptions = {
  name?: string
  /** A cron expression: five fields, or six with seconds in front. */
  schedule?: string
  /** The time zone that the schedule is read in, such as `Europe/Berlin`; UTC unless given. */
  timeZone?: string
  /** How often a run that throws is tried in all; once unless given. */
  maxAttempts?: number
  /** Seconds that a run may take. */
  timeoutSeconds?: number
  /** A text that it returns is kept with the run. */
  handle(tools: JobTools): unknown
}

export type JobDefinition = JobOptions & { readonly [mark]: 'job' }

/** Input of a hook. Members depend on the hook. */
export type HookTools = Tools & {
  user: CodeObject | undefined
  /** As it will be, or was, stored. */
  object: CodeObject
  /** As it was before; not for a new object. */
  original: CodeObject | undefined
  /** The question, of `beforeFind` and `afterFind`, as it came over the wire. */
  query: WireFields
  /** Result of the query, for `afterFind`. */
  found: CodeObject[]
  isGet: boolean
  isCount: boolean
  /** Event about to be sent to a subscriber, for `afterLiveQueryEvent`. */
  event: LiveEventName | undefined
  /** The session token that the client sent, valid or not, of `beforeConnect`. */
  sessionToken: string | undefined
}

export type HookOptions = {
  /** Event that runs the hook. */
  on: HookName
  /** Class of the documents; for sign-in and similar always `_User`, so it may be omitted there. */
  className?: string
  /** Milliseconds; `functions.timeoutMs` of the configuration unless set. */
  timeoutMs?: number
  /**
   * A throw refuses what is about to happen. `beforeSave` may return fields to merge into the object, `beforeFind` a
   * query to run instead (so may `beforeSubscribe`), `afterFind` the objects to return, `afterLiveQueryEvent` any of
   * `object`, `original`, `event` and `sendEvent: false`.
   */
  handle(tools: HookTools): unknown
}

export type HookDefinition = HookOptions & { readonly [mark]: 'hook' }

/** A field as `defineState` writes it: whole numbers of any length are kept as decimal texts. */
type StateFields = { [field: string]: CodeFields[string] | bigint }

export type StateTools = Pick<Tools, 'signal' | 'log'> & {
  /** The document of the event. */
  event: CodeObject
  /** The documents of the state, by ids of your choice. */
  store: {
    get<Fields extends object = { [field: string]: unknown }>(
      className: string,
      id: string,
    ): Promise<CodeObject<Fields> | undefined>
    /** Merges fields into the document; creates it if there is none. */
    put(className: string, id: string, fields: StateFields): Promise<void>
    delete(className: string, id: string): Promise<void>
  }
}

export type StateOptions = {
  name?: string
  /** The classes of the events, as `class` of a sync names them. */
  events: readonly string[]
  /** The classes that are kept. Nobody else should write them. */
  classes: readonly string[]
  /** Chain of the events; required if the classes have events of several chains. */
  chain?: number
  /** Raise it when the code changes: everything is worked out again from the first event on. 1 unless given. */
  version?: number
  /** Milliseconds that one event may take; `functions.timeoutMs` of the configuration unless set. */
  timeoutMs?: number
  /** Called with each event in the order of the chain. Whatever it writes must follow from events and store alone. */
  handle(tools: StateTools): unknown
}

export type StateDefinition = StateOptions & { readonly [mark]: 'state' }

export type Definition = FunctionDefinition | JobDefinition | HookDefinition | StateDefinition

/**
 * A function that clients call by its name (`POST /functions/:name`). Export it from a file in the cloud folder.
 *
 * @example
 * import { defineFunction, z } from 'countersign'
 *
 * export const averageStars = defineFunction({
 *   input: z.object({ movie: z.string() }),
 *   output: z.object({ average: z.number() }),
 *   async handle({ input, objects }) {
 *     const reviews = await objects.find('Review', { where: { movie: input.movie } })
 *     return { average: reviews.reduce((sum, { stars }) => sum + Number(stars), 0) / Math.max(1, reviews.length) }
 *   },
 * })
 */
export function defineFunction<
  Input = { [name: string]: unknown },
  Output = unknown,
  const RequireUser extends boolean = false,
>(options: FunctionOptions<Input, Output, RequireUser>): FunctionDefinition {
  checkOptions('defineFunction', options, functionOptions)
  return { ...(options as unknown as FunctionDefinition), [mark]: 'function' }
}

/**
 * Code that runs before or after a write, a query or a sign-in. Before-hooks run inside the transaction of a write: a
 * throw rolls it back, and their writes commit with it.
 *
 * @example
 * import { CountersignError, defineHook } from 'countersign'
 *
 * export const checkStars = defineHook({
 *   on: 'beforeSave',
 *   className: 'Review',
 *   handle({ object }) {
 *     if (Number(object.stars) > 5) throw new CountersignError('ValidationError', 'A review has five stars at most.')
 *     return { checkedAt: new Date() }
 *   },
 * })
 */
export function defineHook(options: HookOptions): HookDefinition {
  checkOptions('defineHook', options, hookOptions)
  return { ...options, [mark]: 'hook' }
}

/**
 * Work that is started by its name or by the clock, with the rights of the server.
 *
 * @example
 * import { defineJob } from 'countersign'
 *
 * export const forgetDrafts = defineJob({
 *   schedule: '0 3 * * *',
 *   async handle({ masterObjects, progress }) {
 *     const old = await masterObjects.find('Draft', { where: { updatedAt: { $lt: new Date(Date.now() - 30 * 86_400_000) } } })
 *     for (const { objectId } of old) await masterObjects.delete('Draft', objectId)
 *     await progress(`${old.length} drafts`, 1)
 *   },
 * })
 */
export function defineJob(options: JobOptions): JobDefinition {
  checkOptions('defineJob', options, jobOptions)
  return { ...options, [mark]: 'job' }
}

/**
 * Documents computed from contract events: balances by holder, open orders. Called in the order of the chain, in the
 * transaction that stores its position; if blocks are removed, their changes are undone exactly.
 *
 * @example
 * import { defineState } from 'countersign'
 *
 * export const orders = defineState({
 *   events: ['Listed', 'Sold'],
 *   classes: ['Order'],
 *   async handle({ event, store }) {
 *     const { className, uid, seller, price } = event
 *     if (className === 'Listed') await store.put('Order', String(uid), { seller: String(seller), price: String(price) })
 *     else await store.delete('Order', String(uid))
 *   },
 * })
 */
export function defineState(options: StateOptions): StateDefinition {
  checkOptions('defineState', options, stateOptions)
  for (const list of ['events', 'classes'] as const) {
    if (!Array.isArray(options[list]) || options[list].length === 0) throw new TypeError(`defineState needs ${list}.`)
  }
  if (options.version !== undefined && !Number.isSafeInteger(options.version)) {
    throw new TypeError('The version of defineState must be a whole number.')
  }
  return { ...options, [mark]: 'state' }
}

const functionOptions = [
  'name',
  'input',
  'output',
  'requireUser',
  'requireRoles',
  'requireMaster',
  'rateLimit',
  'timeoutMs',
  'isolate',
  'handle',
] satisfies (keyof FunctionOptions<unknown, unknown, false>)[]
const hookOptions = ['on', 'className', 'timeoutMs', 'handle'] satisfies (keyof HookOptions)[]
const jobOptions = [
  'name',
  'schedule',
  'timeZone',
  'maxAttempts',
  'timeoutSeconds',
  'handle',
] satisfies (keyof JobOptions)[]

const stateOptions = [
  'name',
  'events',
  'classes',
  'chain',
  'version',
  'timeoutMs',
  'handle',
] satisfies (keyof StateOptions)[]

/** A misspelt option would be ignored in silence: a limit that is not one. */
function checkOptions(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${what} has no option "${unknown.slice(0, 100)}". Its options are ${known.join(', ')}.`)
}
