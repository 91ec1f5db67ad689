import { type LiveEventName, sameValue, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { HookEvent, HookHandler, HookName } from '../../context/Registry.ts'
import type { CloudRequest } from './CloudRequest.ts'
import { type CloudHandler, callHandler, createRequest } from './createFunction.ts'
import {
  fromParse,
  isParseObject,
  type ParseFile,
  type ParseObject,
  type ParseQuery,
  type ParseSdk,
  plain,
  readChanges,
  runHookCode,
  toDirtyParse,
  toParse,
} from './ParseSdk.ts'
import { type Validator, type ValidatorFunction, validate } from './validate.ts'

const lists = ['include', 'keys', 'excludeKeys', 'order']

/** A hook of the older form as the server calls it. */
export function createHook(
  context: Context,
  parse: ParseSdk,
  /** Name in legacy code, such as `beforeLogin`. */
  triggerName: string,
  handler: CloudHandler,
  validator: Validator | ValidatorFunction | undefined,
): HookHandler {
  const skips = typeof validator === 'object' && validator.skipWithMasterKey === true
  return async (event) => {
    if (skips && event.caller.isMaster) return undefined
    const own = { triggerName, ...describe(parse, event) }
    const given = Object.assign(createRequest(context, parse, event.caller), own)
    const request: CloudRequest = given
    const before = given.object && event.className !== '@Config' ? plain(given.object._getSaveJSON()) : {}
    const asked = given.query ? plain(given.query.toJSON()) : {}
    const name = `${triggerName} ${event.className}`
    const result = await runHookCode(context, name, async () => {
      await validate(context, event.caller, request, validator)
      return callHandler(parse, handler, request)
    })
    return readResult(event, given, before, asked, result)
  }
}

/** A file of the client, with its content where a hook is given that. */
function toParseFile(parse: ParseSdk, { name, url, type, base64, metadata, tags }: WireFields): ParseFile {
  const file =
    typeof base64 === 'string'
      ? new parse.File(String(name), { base64 }, type)
      : parse.File.fromJSON({ __type: 'File', name, url })
  file.setMetadata((metadata ?? {}) as WireFields)
  file.setTags((tags ?? {}) as WireFields)
  return file
}

type Given = {
  file?: ParseFile
  object?: ParseObject
  original?: ParseObject
  query?: ParseQuery
  objects?: unknown
  event?: unknown
  sendEvent?: unknown
}

function describe(parse: ParseSdk, event: HookEvent): Given & { [name: string]: unknown } {
  const { hook, object, original, query, objects, isGet, isCount } = event
  if (event.className === '@File' && object) {
    return { file: toParseFile(parse, object), fileSize: object.size, contentLength: object.size }
  }
  if (event.className === '@Config') {
    // The client's settings have no way to be saved, so they are no object that is changed here.
    const settings = (params: WireFields) =>
      Object.assign(new parse.Config(), { attributes: parse._decode(null, params) })
    return { object: settings(object ?? {}) as never, original: settings(original ?? {}) as never }
  }
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
    ...(hook === 'beforeConnect' && { sessionToken: event.sessionToken }),
    ...(hook === 'afterLiveQueryEvent' && { event: event.event, sendEvent: true }),
  }
}

function hasQuery(hook: HookName): boolean {
  return hook === 'beforeFind' || hook === 'afterFind' || hook === 'beforeSubscribe'
}

function readResult(
  { hook, className, original, query = {} }: HookEvent,
  given: Given,
  before: WireFields,
  asked: WireFields,
  result: unknown,
): Partial<HookEvent> | undefined {
  if (className === '@Config') return undefined
  if (className === '@File') {
    if (hook !== 'beforeSave' || !given.file) return undefined
    if (result instanceof Object && result !== given.file && 'tags' in result)
      throw new Error('A hook cannot replace an uploaded file. Throw an error to refuse it.')
    return { object: plain({ metadata: given.file.metadata(), tags: given.file.tags() }) }
  }
  if (hook === 'beforeSave' && given.object) return { object: readChanges(before, given.object, original) }
  if (hook === 'afterSave') return isPlain(result) ? { object: plain(result) } : undefined
  if (hook === 'afterFind') {
    const found = Array.isArray(result) ? result : given.objects
    return Array.isArray(found) ? { objects: found.map(fromParse) } : undefined
  }
  if ((hook === 'beforeFind' || hook === 'beforeSubscribe') && given.query) {
    const changed = isQuery(result) ? result : given.query
    return { query: readQueryChanges(query, asked, changed) }
  }
  if (hook === 'afterLiveQueryEvent') {
    return {
      sendEvent: given.sendEvent !== false,
      ...(given.event !== undefined && { event: given.event as LiveEventName }),
      ...(given.object && { object: fromParse(given.object) }),
      ...(given.original && { original: fromParse(given.original) }),
    }
  }
  return undefined
}

function isQuery(value: unknown): value is ParseQuery {
  return value !== null && typeof value === 'object' && typeof Reflect.get(value, 'withJSON') === 'function'
}

/**
 * Detects a plain object, which is meant as a result. Lists and objects of the client are often returned by accident.
 */
function isPlain(value: unknown): value is object {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !isParseObject(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
  )
}

/** A query of the wire as one of the client. */
function toParseQuery(parse: ParseSdk, className: string, query: WireFields): ParseQuery {
  const json = { ...query }
  for (const name of lists) if (Array.isArray(json[name])) json[name] = (json[name] as WireValue[]).join()
  return new parse.Query(className).withJSON(json)
}

/** The query with the code's changes. Parts that the client's form cannot express stay unchanged. */
function readQueryChanges(query: WireFields, before: WireFields, changed: ParseQuery): WireFields {
  const after = plain(changed.toJSON())
  const result: WireFields = { ...query }
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name) || !sameValue(before[name] as WireValue, value)) result[name] = value
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) delete result[name]
  return result
}
