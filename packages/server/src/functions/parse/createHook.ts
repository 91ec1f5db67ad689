import type { LiveEventName, WireFields } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { HookEvent, HookHandler, HookName } from '../../context/Registry.ts'
import type { CloudHandler } from './createFunction.ts'
import { type CloudRequest, createRequest } from './createRequest.ts'
import { fromParse, isParseObject, plain, readChanges, toDirtyParse, toParse } from './objects.ts'
import type { ParseObject, ParseQuery, ParseSdk } from './ParseSdk.ts'
import { readQueryChanges, toParseQuery } from './queries.ts'
import { runHookCode } from './runCode.ts'
import { type Validator, type ValidatorFunction, validate } from './validate.ts'

/** A hook of the older form as the server calls it. */
export function createHook(
  context: Context,
  parse: ParseSdk,
  /** What the code calls it, such as `beforeLogin`. */
  triggerName: string,
  handler: CloudHandler,
  validator: Validator | ValidatorFunction | undefined,
): HookHandler {
  const skips = typeof validator === 'object' && validator.skipWithMasterKey === true
  return async (event) => {
    if (skips && event.caller.isMaster) return undefined
    const told = { ...createRequest(context, parse, event.caller), triggerName, ...describe(parse, event) }
    const request: CloudRequest = told
    const before = told.object ? plain(told.object._getSaveJSON()) : {}
    const asked = told.query ? plain(told.query.toJSON()) : {}
    const name = `${triggerName} ${event.className}`
    const result = await runHookCode(context, name, async () => {
      await validate(context, event.caller, request, validator)
      return handler(request as never)
    })
    return readResult(event, told, before, asked, result)
  }
}

type Told = {
  object?: ParseObject
  original?: ParseObject
  query?: ParseQuery
  objects?: unknown
  event?: unknown
  sendEvent?: unknown
}

function describe(parse: ParseSdk, event: HookEvent): Told & { [name: string]: unknown } {
  const { hook, object, original, query, objects, isGet, isCount } = event
  const className = hook === 'afterSignOut' ? '_Session' : event.className
  const isSave = hook === 'beforeSave'
  const made = object && (isSave ? toDirtyParse(parse, className, object, original) : toParse(parse, className, object))
  if (hook === 'afterSave') made?._setExisted(original !== undefined)
  return {
    ...(made && { object: made }),
    ...(original && { original: toParse(parse, className, original) }),
    ...(hook === 'afterSignIn' && { user: made }),
    ...(hasQuery(hook) && {
      query: toParseQuery(parse, className, query ?? {}),
      count: isCount ?? false,
      isGet: isGet ?? false,
    }),
    ...(objects && { objects: objects.map((item) => toParse(parse, className, item)) }),
    ...(hook === 'afterLiveQueryEvent' && { event: event.event, sendEvent: true }),
  }
}

function hasQuery(hook: HookName): boolean {
  return hook === 'beforeFind' || hook === 'afterFind' || hook === 'beforeSubscribe'
}

function readResult(
  { hook, original, query = {} }: HookEvent,
  told: Told,
  before: WireFields,
  asked: WireFields,
  result: unknown,
): Partial<HookEvent> | undefined {
  if (hook === 'beforeSave' && told.object) return { object: readChanges(before, told.object, original) }
  if (hook === 'afterSave') return isPlain(result) ? { object: plain(result) } : undefined
  if (hook === 'afterFind') {
    const found = Array.isArray(result) ? result : told.objects
    return Array.isArray(found) ? { objects: found.map(fromParse) } : undefined
  }
  if ((hook === 'beforeFind' || hook === 'beforeSubscribe') && told.query) {
    const changed = isQuery(result) ? result : told.query
    return { query: readQueryChanges(query, asked, changed) }
  }
  if (hook === 'afterLiveQueryEvent') {
    return {
      sendEvent: told.sendEvent !== false,
      ...(told.event !== undefined && { event: told.event as LiveEventName }),
      ...(told.object && { object: fromParse(told.object) }),
      ...(told.original && { original: fromParse(told.original) }),
    }
  }
  return undefined
}

function isQuery(value: unknown): value is ParseQuery {
  return value !== null && typeof value === 'object' && typeof Reflect.get(value, 'withJSON') === 'function'
}

/** Lists and objects of the client are what code happens to return last; a plain object is meant as an answer. */
function isPlain(value: unknown): value is object {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !isParseObject(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
  )
}
