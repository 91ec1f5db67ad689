import { AsyncLocalStorage } from 'node:async_hooks'
import { CountersignError, sameValue, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { TimeLimit } from '../../context/Registry.ts'
import { toClientError } from '../CloudError.ts'
import { withTimeLimit } from '../withTimeLimit.ts'

/** Of an object of the public client, what the server needs. */
export type ParseObject = {
  id?: string
  className: string
  get(name: string): unknown
  set(name: string, value: unknown, options?: { ignoreValidation?: boolean }): unknown
  unset(name: string): unknown
  revert(name: string): void
  setACL(acl: unknown): unknown
  existed(): boolean
  toJSON(): WireFields
  /** The changes that are not saved yet, as they would be sent. */
  _getSaveJSON(): WireFields
  _toFullJSON(seen: unknown[]): WireFields
  _setExisted(existed: boolean): void
}

/** Of a file of the public client, what the server needs. */
export type ParseFile = {
  metadata(): WireFields
  tags(): WireFields
  setMetadata(metadata: WireFields): void
  setTags(tags: WireFields): void
}

export type ParseQuery = { withJSON(json: WireFields): ParseQuery; toJSON(): WireFields }

/** The public client's build for Node, as far as the server touches it. The rest is for the application's code. */
export type ParseSdk = {
  Object: { fromJSON(json: WireFields): ParseObject; createWithoutData?(id: string): ParseObject } & (new (
    className: string,
  ) => ParseObject)
  Query: new (className: string) => ParseQuery
  ACL: new (acl: unknown) => unknown
  Error: new (code: number, message: string) => Error & { code: number }
  File: { fromJSON(json: object): ParseFile } & (new (
    name: string,
    content: { base64: string },
    type: unknown,
  ) => ParseFile)
  Config: new () => object
  Cloud: { [name: string]: unknown }
  CoreManager: { getRESTController(): { ajax: Ajax }; getFileController(): { saveBinary?: unknown } }
  serverURL: string
  initialize(appId: string, javascriptKey: string | undefined, masterKey: string): void
  _decode(name: null, value: unknown): unknown
  _encode(value: unknown): unknown
}

/** Sends a client's request; rejects with the server's error. */
export type Ajax = (
  method: string,
  url: string,
  body: string,
  headers?: { [name: string]: string },
) => Promise<{ status: number; response: unknown; headers: Record<string, string> }>

/** An object of the wire as one of the client, with nothing to save. */
export function toParse(parse: ParseSdk, className: string, fields: WireFields): ParseObject {
  return parse.Object.fromJSON({ __type: 'Object', ...fields, className })
}

/** An object that is about to be saved: what differs from the original is what is to be saved. */
export function toDirtyParse(
  parse: ParseSdk,
  className: string,
  fields: WireFields,
  original: WireFields | undefined,
): ParseObject {
  const object = original ? toParse(parse, className, original) : parse.Object.fromJSON({ className })
  for (const [name, value] of Object.entries(fields)) {
    const before = original?.[name]
    if (isFixed(name) || (before !== undefined && sameValue(before, value))) continue
    if (name === 'ACL') object.setACL(new parse.ACL(value))
    else object.set(name, parse._decode(null, value), { ignoreValidation: true })
  }
  for (const name of Object.keys(original ?? {})) {
    if (!isFixed(name) && !Object.hasOwn(fields, name)) object.unset(name)
  }
  return object
}

function isFixed(name: string): boolean {
  return name === 'objectId' || name === 'createdAt' || name === 'updatedAt' || name === 'sessionToken'
}

/** Changes that code made to a document: fields and operations, from its save data before and after. */
export function readChanges(before: WireFields, object: ParseObject, original: WireFields | undefined): WireFields {
  const after = plain(object._getSaveJSON())
  const changes: WireFields = {}
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name) || !sameValue(before[name] as WireValue, value)) changes[name] = value
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) changes[name] = original?.[name] ?? { __op: 'Delete' }
  }
  return changes
}

/** As JSON carries it, cut loose from what code holds. */
export function plain(value: unknown): WireFields {
  return JSON.parse(JSON.stringify(value)) as WireFields
}

/** An object of the client as a result of a query is on the wire. */
export function fromParse(object: unknown): WireFields {
  const whole = isParseObject(object) ? object._toFullJSON([]) : object
  const { __type: _type, className: _name, ...fields } = plain(whole)
  return fields
}

export function isParseObject(value: unknown): value is ParseObject {
  return value !== null && typeof value === 'object' && typeof Reflect.get(value, '_toFullJSON') === 'function'
}

type Scope = { depth: number; limit: TimeLimit }

/** Maximum depth: hooks that save their own class would run forever. */
const deepest = 20

const storage = new AsyncLocalStorage<Scope>()

/** Number of scopes that some code may still run in, awaited or not. */
let alive = 0

// A context that is carried along costs every promise of the process. A scope that nothing refers to is carried by none.
const endings = new FinalizationRegistry(() => {
  alive--
  if (alive === 0) storage.disable()
})

/** Runs application code in a scope, so that its requests can be recognized. */
function runInScope<Result>(limit: TimeLimit, work: () => Result): Result {
  const scope = { depth: (storage.getStore()?.depth ?? 0) + 1, limit }
  alive++
  endings.register(scope, undefined)
  return storage.run(scope, work)
}

/** Rejects requests of code whose time is over, or that has called itself too often. */
export function checkScope(): void {
  const scope = storage.getStore()
  if (!scope) return
  // Its caller got an error: it must not go on writing.
  scope.limit.throwIfAborted()
  if (scope.depth > deepest) {
    throw new CountersignError(
      'ScriptFailed',
      `Functions and hooks can call each other at most ${deepest} levels deep.`,
    )
  }
}

/** Runs legacy code; its errors reach the caller with their own text and code, or 141. */
export async function runCode<Result>(limit: TimeLimit, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await runInScope(limit, async () => work())
  } catch (error) {
    throw toClientError(error)
  }
}

/** The same for a hook, with a time limit: others may wait for its locks. */
export function runHookCode<Result>(
  { config }: Context,
  name: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  return withTimeLimit(config.functions.timeoutMs, `The hook ${name}`, (limit) => runCode(limit, work))
}
