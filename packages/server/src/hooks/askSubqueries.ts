import type { WireFields, WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks, runBeforeFind } from './runHooks.ts'

/**
 * Applies hooks to the queries inside a query: a class that may not be queried must not be reachable by a detour.
 * Malformed parts pass unchanged, and are rejected when the query is parsed.
 */
export async function askSubqueries(
  context: Context,
  caller: Caller,
  value: WireValue | undefined,
): Promise<WireValue | undefined> {
  if (!hasFindHooks(context)) return value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return mapEach(value, (item) => askSubqueries(context, caller, item))
  const asked: WireFields = {}
  for (const [name, inner] of Object.entries(value as WireFields)) {
    asked[name] = (await askOperand(context, caller, name, inner)) ?? null
  }
  return asked
}

function hasFindHooks({ registry }: Context): boolean {
  for (const name of registry.hooks.keys()) if (name.startsWith('beforeFind ')) return true
  return false
}

async function askOperand(context: Context, caller: Caller, name: string, value: WireValue) {
  if (name === '$inQuery' || name === '$notInQuery') return ask(context, caller, value)
  if (name === '$relatedTo') return askOwner(context, caller, value)
  if (name !== '$select' && name !== '$dontSelect') return askSubqueries(context, caller, value)
  const { query, ...rest } = Object(value) as WireFields
  return query === undefined ? value : { ...rest, query: (await ask(context, caller, query)) ?? null }
}

async function ask(context: Context, caller: Caller, value: WireValue): Promise<WireValue | undefined> {
  const { className } = Object(value) as { className?: WireValue }
  if (typeof className !== 'string') return askSubqueries(context, caller, value)
  const query = value as WireFields
  const target = targetOf(context, className, query.redirectClassNameForKey)
  const handlers = findHooks(context, 'beforeFind', target)
  const event = { className: target, query: { where: {}, ...query }, isGet: false, isCount: false }
  const { className: _stays, ...changed } = handlers ? await runBeforeFind(handlers, caller, event) : query
  const where = await askSubqueries(context, caller, changed.where)
  return { ...changed, className, ...(where !== undefined && { where }) }
}

/** The owner of a relation is read by this question: hooks of its class may refuse it, or ask more of it. */
async function askOwner(context: Context, caller: Caller, value: WireValue): Promise<WireValue> {
  // Only hooks put a condition here.
  const { where: _given, ...related } = Object(value) as WireFields
  const { className, objectId } = Object(related.object) as { className?: WireValue; objectId?: WireValue }
  const handlers = typeof className === 'string' ? findHooks(context, 'beforeFind', className) : undefined
  if (!handlers || typeof className !== 'string' || typeof objectId !== 'string') return related
  const event = { className, query: { where: { objectId } }, isGet: true, isCount: false }
  const asked = await runBeforeFind(handlers, caller, event)
  const where = await askSubqueries(context, caller, asked.where)
  return { ...related, ...(where !== undefined && { where }) }
}

function targetOf({ classes }: Context, className: string, key: WireValue | undefined): string {
  if (typeof key !== 'string') return className
  const schema = classes.find(className)
  return schema?.relations.get(key) ?? schema?.fields.get(key)?.targetClass ?? className
}

async function mapEach(
  values: WireValue[],
  map: (value: WireValue) => Promise<WireValue | undefined>,
): Promise<WireValue[]> {
  const mapped: WireValue[] = []
  for (const value of values) mapped.push((await map(value)) ?? null)
  return mapped
}
