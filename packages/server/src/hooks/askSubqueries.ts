import type { WireFields, WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks } from './findHooks.ts'
import { runBeforeFind } from './runBeforeFind.ts'

/**
 * Lets hooks have their say in the queries inside a query: who may not ask a class may not ask it by a detour either.
 * What is not well formed passes as it is, to be refused where the query is read.
 */
export async function askSubqueries(
  context: Context,
  caller: Caller,
  value: WireValue | undefined,
): Promise<WireValue | undefined> {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return mapEach(value, (item) => askSubqueries(context, caller, item))
  const asked: WireFields = {}
  for (const [name, inner] of Object.entries(value as WireFields)) {
    asked[name] = (await (isQuery(name) ? ask(context, caller, inner) : askSubqueries(context, caller, inner))) ?? null
  }
  return asked
}

function isQuery(name: string): boolean {
  return name === '$inQuery' || name === '$notInQuery' || name === 'query'
}

async function ask(context: Context, caller: Caller, value: WireValue): Promise<WireValue | undefined> {
  const { className } = Object(value) as { className?: WireValue }
  if (typeof className !== 'string') return askSubqueries(context, caller, value)
  const query = value as WireFields
  const handlers = findHooks(context, 'beforeFind', className)
  const { className: _stays, ...changed } = handlers
    ? await runBeforeFind(handlers, caller, { className, query: { where: {}, ...query }, isGet: false, isCount: false })
    : query
  const where = await askSubqueries(context, caller, changed.where)
  return { ...changed, className, ...(where !== undefined && { where }) }
}

async function mapEach(
  values: WireValue[],
  map: (value: WireValue) => Promise<WireValue | undefined>,
): Promise<WireValue[]> {
  const mapped: WireValue[] = []
  for (const value of values) mapped.push((await map(value)) ?? null)
  return mapped
}
