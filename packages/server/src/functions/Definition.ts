import type { LiveEventName, WireFields } from '@countersign/protocol'
import type { z } from 'zod'
import type { CodeCaller, HookName } from '../context/Registry.ts'
import type { CodeFields, CodeObject, Objects } from './Objects.ts'

/** Known by its name and not by its class: code may be loaded beside the server, with a copy of this package of its own. */
export const mark = Symbol.for('countersign.definition')

/** What every piece of the application's code gets. */
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
  /** Whose calls are counted together. Users by default, and guests by address. */
  by?: 'user' | 'address'
}

export type FunctionTools<Input, User> = Tools & { input: Input; user: User }

export type FunctionOptions<Input, Output, RequireUser extends boolean> = {
  /** Its name for clients; without one that of the export, or of the file for the default export. */
  name?: string
  /** What it takes; anything else is refused with 142. */
  input?: z.ZodType<Input>
  /** What it answers: checked, and known to clients through `countersign types`. */
  output?: z.ZodType<Output>
  /** Guests are refused (209). */
  requireUser?: RequireUser
  /** Users who hold none of these roles are refused (119). The master key is not. */
  requireRoles?: readonly string[]
  /** Whoever has no master key is refused (119). */
  requireMaster?: boolean
  rateLimit?: CallLimit
  /** Milliseconds; `functions.timeout` of the configuration unless set. */
  timeout?: number
  /** Runs in a process of its own, which is ended where it takes too long or too much memory. */
  isolate?: boolean
  handle(
    tools: FunctionTools<Input, RequireUser extends true ? CodeObject : CodeObject | undefined>,
  ): Output | Promise<Output>
}

export type FunctionDefinition = Omit<FunctionOptions<unknown, unknown, false>, 'handle'> & {
  readonly [mark]: 'function'
  // What it is called with was checked by its own schema.
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
  tries?: number
  /** Seconds that a run may take. */
  timeLimit?: number
  /** A text that it returns is kept with the run. */
  handle(tools: JobTools): unknown
}
export type JobDefinition = JobOptions & { readonly [mark]: 'job' }

/** What a hook is told. Which of it is there depends on the hook. */
export type HookTools = Tools & {
  user: CodeObject | undefined
  /** As it will be, or was, stored. */
  object: CodeObject
  /** As it was before; not for a new object. */
  original: CodeObject | undefined
  /** The question, of `beforeFind` and `afterFind`, as it came over the wire. */
  query: WireFields
  /** What was found, of `afterFind`. */
  found: CodeObject[]
  isGet: boolean
  isCount: boolean
  /** What a subscriber is about to be told, of `afterLiveQueryEvent`. */
  event: LiveEventName | undefined
}

export type HookOptions = {
  /** Where it stands in. */
  on: HookName
  /** Whose objects; of sign-in and the like always `_User`, so it may be left out there. */
  className?: string
  /** Milliseconds; `functions.timeout` of the configuration unless set. */
  timeout?: number
  /**
   * A throw refuses what is about to happen. `beforeSave` may return fields to lay over the object, `beforeFind` a query
   * to ask instead (so may `beforeSubscribe`), `afterFind` the objects to answer, `afterLiveQueryEvent` any of `object`,
   * `original`, `event` and `sendEvent: false`.
   */
  handle(tools: HookTools): unknown
}
export type HookDefinition = HookOptions & { readonly [mark]: 'hook' }

export type Definition = FunctionDefinition | JobDefinition | HookDefinition
