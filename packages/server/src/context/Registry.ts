import type { LiveEventName, WireFields, WireValue } from '@countersign/protocol'
import type { Caller } from './Caller.ts'

/** The caller, as passed to application code. */
export type CodeCaller = Pick<Caller, 'isMaster' | 'installationId' | 'ipAddress'> & {
  user?: WireFields
  /** Whatever the client sent along in `X-Parse-Cloud-Context`, shared by all code along one request. */
  context: Record<string, unknown>
  headers: Record<string, string>
}

/** Time that application code has. */
export type TimeLimit = {
  /** Created when code asks for it: most code does not. */
  readonly signal: AbortSignal
  /** Throws the reason once the time is over. */
  throwIfAborted(): void
  /** Calls back once the time is over, unless the returned function is called before. */
  onAbort(act: (reason: unknown) => void): () => void
}

export type FunctionCall = { name: string; params: WireFields; caller: CodeCaller; limit: TimeLimit }

/** A function of the application, ready to be called: validation, rate limits and isolation are inside `run`. */
export type RegisteredFunction = {
  run(call: FunctionCall): Promise<WireValue | undefined>
  /** Milliseconds that a call may take; those of the configuration unless given. */
  timeoutMs?: number
  /** Facts about the function, for operators. */
  describe?(): FunctionFacts
}

export type FunctionFacts = {
  /** JSON Schema of its input, if declared. */
  input?: WireFields
  /** `user`, `master`, or `role:` with a name: who may call it. */
  requires?: readonly string[]
  /** It runs elsewhere. */
  isRemote?: boolean
}

export type JobCall = {
  name: string
  params: WireFields
  /** Kept and shown: a sentence, and how far the job has come (0 to 1) where it knows. */
  progress(message: string, fraction?: number): Promise<void>
  signal: AbortSignal
}

export type RegisteredJob = {
  run(call: JobCall): Promise<string | undefined>
  /** A cron expression: five fields, or six with seconds in front. */
  schedule?: string
  /** The time zone that the schedule is read in, such as `Europe/Berlin`; UTC unless given. */
  timeZone?: string
  /** How often a run that throws is tried in all; once unless given. */
  maxAttempts?: number
  /** Seconds that a run may take. */
  timeoutSeconds?: number
}

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

/** Input of a hook, which it may change. Members depend on the hook. */
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
  /** The event that a subscriber is about to receive, and whether at all. */
  event?: LiveEventName
  sendEvent?: boolean
  /** Of `beforeConnect`: as the client sent it, valid or not. */
  sessionToken?: string
}

/**
 * The returned value counts: fields of `object` override those of the document (operations such as `{ __op: 'Delete' }`
 * too), `query` and `objects` replace the given ones. A throw rejects the request. After-hooks run after the commit;
 * their errors are logged, and an `object` returned by `afterSave` becomes the response.
 */
export type HookHandler = (event: HookEvent) => Promise<Partial<HookEvent> | undefined>

/** Documents that are kept from events of contracts, by their ids. What is read was written by the same state. */
export type StateStore = {
  get(className: string, id: string): Promise<WireFields | undefined>
  /** Lays fields over those that are there. */
  put(className: string, id: string, fields: WireFields): Promise<void>
  delete(className: string, id: string): Promise<void>
}

/** Documents that the application keeps from events of contracts: see `chain/events/computeStates.ts`. */
export type RegisteredState = {
  /** The classes whose events it is called with. */
  events: readonly string[]
  /** The classes that it keeps. */
  classes: readonly string[]
  chain?: number
  /** Another one has all of it worked out again. */
  version: number
  run(event: { className: string; object: WireFields }, store: StateStore): Promise<void>
}

/** The application's own code that this server has loaded. Maps, since names come from requests. */
export type Registry = {
  readonly functions: Map<string, RegisteredFunction>
  readonly jobs: Map<string, RegisteredJob>
  /**
   * By `hook className`, such as `beforeSave Game`. Sign-up, sign-in, sign-out and link are of `_User`; `beforeConnect`
   * is of `@Connect`.
   */
  readonly hooks: Map<string, HookHandler[]>
  readonly states: Map<string, RegisteredState>
}

/** A registry with nothing in it. */
export function createRegistry(): Registry {
  return { functions: new Map(), jobs: new Map(), hooks: new Map(), states: new Map() }
}
