import { CountersignError, sameValue, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import { withFileUrls } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookEvent, HookHandler, HookName } from '../context/Registry.ts'

/** Hooks of this kind; `undefined` if there are none, at the cost of one lookup. */
export function findHooks(
  { registry }: Context,
  hook: HookName,
  className: string,
): readonly HookHandler[] | undefined {
  return registry.hooks.size === 0 ? undefined : registry.hooks.get(`${hook} ${className}`)
}

export function hasSaveHooks(context: Context, className: string): boolean {
  return (
    findHooks(context, 'beforeSave', className) !== undefined ||
    findHooks(context, 'afterSave', className) !== undefined
  )
}

/** Changes by hooks for the response: values, and removed fields. */
export function hookResponse(context: Context, own: WireChanges, hidden: ReadonlySet<string>): WireFields {
  const shown = pick(own, (name, operation) => {
    return !hidden.has(name) && name !== 'password' && (operation === undefined || operation === 'Delete')
  })
  return withFileUrls(context, shown)
}

/** The values that hooks set. */
export function setBy(own: WireChanges): WireFields {
  return pick(own, (_name, operation) => operation === undefined)
}

function pick(own: WireChanges, isWanted: (name: string, operation: unknown) => boolean): WireFields {
  const entries = Object.entries(own as { [name: string]: WireValue })
  return Object.fromEntries(entries.filter(([name, value]) => isWanted(name, Reflect.get(Object(value), '__op'))))
}

/** Merges the hooks' changes over the sent ones of the same fields. */
export function applyHookChanges(input: WireChanges, own: WireChanges): WireChanges {
  const kept = Object.entries(input).filter(([key]) => !Object.hasOwn(own, key.split('.')[0] ?? key))
  return { ...Object.fromEntries(kept), ...own }
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])

const deepest = 200

/** Rejects keys that requests may not contain: a hook may pass on what somebody sent it. */
export function checkKeys(value: WireValue, depth = 0): void {
  if (value === null || typeof value !== 'object') return
  if (depth > deepest) throw new CountersignError('InvalidJson', `Values can be nested at most ${deepest} levels deep.`)
  for (const [key, inner] of Object.entries(value)) {
    if (forbidden.has(key)) {
      throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${key}"}.`)
    }
    checkKeys(inner as WireValue, depth + 1)
  }
}

/** Set by the server alone, or no field at all. */
const fixed = new Set(['objectId', 'createdAt', 'updatedAt', '__type', 'className', 'sessionToken'])

/**
 * Calls hooks before a change to an object, one after another; a throw rejects it. Returns the hooks' own changes,
 * which override the caller's.
 */
export async function runBefore(
  handlers: readonly HookHandler[],
  caller: Caller,
  event: Pick<HookEvent, 'hook' | 'className' | 'original'> & { object: WireFields },
): Promise<WireChanges> {
  const own: { [name: string]: WireValue } = {}
  let { object } = event
  for (const handle of handlers) {
    // Copies: a hook's changes count only if it returns them.
    const returned = await handle({ ...structuredClone({ ...event, object }), caller: codeCallerOf(caller) })
    checkKeys(returned?.object ?? null)
    for (const [name, value] of Object.entries(returned?.object ?? {})) {
      // As in a request: a list that is null asks for nothing, and does not take the place of the caller's.
      if (name === 'ACL' && value === null) continue
      if (fixed.has(name) || (Object.hasOwn(object, name) && sameValue(object[name] as WireValue, value))) continue
      own[name] = value
      object = withField(object, name, value)
    }
  }
  return own
}

/** The object as the next hook sees it. What other operations lead to is not known yet. */
function withField(object: WireFields, name: string, value: WireValue): WireFields {
  const operation: unknown = Reflect.get(Object(value), '__op')
  if (operation === undefined) return { ...object, [name]: value }
  if (operation !== 'Delete') return object
  const { [name]: _gone, ...kept } = object
  return kept
}

/**
 * Calls hooks after the commit; the response waits for them. They can no longer reject: errors are logged. An object
 * returned by a hook becomes the response.
 */
export async function runAfter(
  context: Context,
  caller: Caller,
  event: Pick<HookEvent, 'hook' | 'className' | 'original'> & { object: WireFields },
  answer?: object,
): Promise<void> {
  const handlers = findHooks(context, event.hook, event.className)
  if (!handlers) return
  await context.db.afterCommit(async () => {
    for (const handle of handlers) {
      try {
        const returned = await handle({ ...withFileUrls(context, event), caller: codeCallerOf(caller) })
        if (answer && returned?.object) replace(answer, withFileUrls(context, returned.object))
      } catch (error) {
        context.log.error({ err: error, hook: event.hook, className: event.className }, 'hook failed')
      }
    }
  })
}

/** Replaces the content in place, since it may be part of a response that was built before the commit. */
function replace(answer: object, object: WireFields): void {
  for (const name of Object.keys(answer)) Reflect.deleteProperty(answer, name)
  Object.assign(answer, object)
}

/** Calls hooks with a query, one after another. Returns the query to run instead. */
export async function runBeforeFind(
  handlers: readonly HookHandler[],
  caller: Caller,
  event: Pick<HookEvent, 'className' | 'isGet' | 'isCount'> & { query: WireFields },
): Promise<WireFields> {
  let { query } = event
  for (const handle of handlers) {
    const call = { ...structuredClone({ ...event, query }), hook: 'beforeFind' as const, caller: codeCallerOf(caller) }
    query = (await handle(call))?.query ?? query
  }
  return query
}

/** Calls hooks with the results. Returns the objects for the caller. */
export async function runAfterFind(
  context: Context,
  caller: Caller,
  event: Pick<HookEvent, 'className' | 'query' | 'isGet'> & { objects: WireFields[] },
): Promise<WireFields[]> {
  const handlers = findHooks(context, 'afterFind', event.className)
  let { objects } = event
  if (!handlers) return objects
  for (const handle of handlers) {
    const call = { ...structuredClone({ ...event, objects }), hook: 'afterFind' as const, caller: codeCallerOf(caller) }
    objects = (await handle(call))?.objects ?? objects
  }
  return withFileUrls(context, objects)
}

/** Asks the application if a proven user may sign in. */
export async function runBeforeSignIn(context: Context, caller: Caller, user: WireFields): Promise<void> {
  const handlers = findHooks(context, 'beforeSignIn', '_User')
  if (handlers) await runBefore(handlers, caller, { hook: 'beforeSignIn', className: '_User', object: user })
}
