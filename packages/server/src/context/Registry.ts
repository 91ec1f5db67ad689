import type { WireFields, WireValue } from '@countersign/protocol'
import type { Caller } from './Caller.ts'

/** Who asks, as code of the application sees it. */
export type CodeCaller = Pick<Caller, 'isMaster' | 'installationId' | 'ipAddress'> & {
  user?: WireFields
  /** Whatever the client sent along in `X-Parse-Cloud-Context`, shared by all code along one request. */
  context: Record<string, unknown>
  headers: Record<string, string>
}

export type FunctionCall = { name: string; params: WireFields; caller: CodeCaller; signal: AbortSignal }

/** A function of the application, ready to be called: validation, limits and isolation are inside `run`. */
export type RegisteredFunction = { run(call: FunctionCall): Promise<WireValue | undefined> }

export type JobCall = {
  name: string
  params: WireFields
  /** Kept and shown: a sentence, and how far the job has come (0 to 1) where it knows. */
  progress(message: string, fraction?: number): Promise<void>
  signal: AbortSignal
}
export type RegisteredJob = { run(call: JobCall): Promise<string | undefined>; schedule?: string; tries?: number }

export type HookName =
  | 'beforeSave'
  | 'afterSave'
  | 'beforeDelete'
  | 'afterDelete'
  | 'beforeFind'
  | 'afterFind'
  | 'beforeSignUp'
  | 'afterSignUp'
  | 'beforeSignIn'
  | 'afterSignIn'
  | 'afterSignOut'
  | 'beforeLink'
  | 'afterLink'
  | 'beforeConnect'
  | 'beforeSubscribe'
  | 'afterLiveQueryEvent'
  | 'beforePasswordReset'

/** What a hook is told and may change. Which members are there depends on the hook. */
export type HookEvent = {
  hook: HookName
  className: string
  caller: CodeCaller
  object?: WireFields
  original?: WireFields
  query?: WireFields
  objects?: WireFields[]
  isGet?: boolean
  isCount?: boolean
}
/** What it returns replaces the object, the query or the objects; nothing leaves them as they are. A throw refuses. */
export type HookHandler = (event: HookEvent) => Promise<Partial<HookEvent> | undefined>

/** The application's own code that this server has loaded. Maps, since names come from requests. */
export type Registry = {
  readonly functions: Map<string, RegisteredFunction>
  readonly jobs: Map<string, RegisteredJob>
  /** By `hook className`, such as `beforeSave Game`. */
  readonly hooks: Map<string, HookHandler[]>
}
