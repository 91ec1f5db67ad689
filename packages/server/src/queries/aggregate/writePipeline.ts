import type { WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { refuseInternal } from '../../permissions/decide.ts'
import type { QueryScope } from '../QueryParser.ts'
import { readWhere } from '../readWhere.ts'
import { writeWhere } from '../writeWhere.ts'
import { readStages, type Stage } from './readStages.ts'
import { fieldOf } from './resolvePath.ts'
import { runStages } from './runStages.ts'
import { match } from './stages.ts'
import { invalid, isObject } from './Value.ts'
import { heldBack, openTable, type Rows, type Scope, type Work } from './Work.ts'

/** Operators of MongoDB that a `where` does not have. */
const foreign = new Set(['$expr', '$comment', '$not', '$size', '$mod', '$elemMatch', '$type'])

const joining = new Set(['$and', '$or', '$nor'])

/**
 * A pipeline as one statement: each stage a table expression over the one before, so that stages may come in any order
 * and any number. Names of the client are never part of the text, and every value is bound.
 */
export function writePipeline(
  scope: QueryScope,
  schema: ClassSchema,
  pipeline: unknown,
): { statement: Fragment; scope: Scope } {
  let count = 0
  const work: Work = {
    tables: [],
    fresh: (letter) => sql.id(work.freshName(letter)),
    freshName: (letter) => `${letter}${++count}`,
    getClass: (className) => getClass(scope, className),
    now: scope.now,
    isSpread: schema.distributed ?? false,
    mostLetters: scope.config.requestComplexity.regexLength,
  }
  const stages = readStages(pipeline)
  const rows = runStages(work, open(work, scope, schema, stages), stages)
  const order = rows.order ? sql` order by ${rows.order}` : sql``
  const columns = [...rows.scope.columns.values(), ...(rows.scope.rest ? [rows.scope.rest] : [])]
  const list = columns.length > 0 ? sql.join(columns.map((column) => column.sql)) : sql`null as nothing`
  const statement = sql`
    with ${sql.join(work.tables, ',\n')}
    select row_to_json(r) as row from (select ${list} from ${rows.table}${order}${heldBack(work)}) r`
  return { statement, scope: rows.scope }
}

/**
 * The table with the first `$match`, taken from the stages: on the columns themselves the whole language of a `where`
 * can be asked, and indexes serve.
 */
function open(work: Work, scope: QueryScope, schema: ClassSchema, stages: Stage[]): Rows {
  const [first] = stages
  const alias = work.fresh('t')
  if (!first || 'page' in first || first.name !== '$match') return openTable(work, schema, alias, undefined, new Map())
  stages.shift()
  if (!isObject(first.argument)) throw invalid('$match must be an object of conditions.')
  const { plain, rest } = translateMatch(schema, first.argument)
  const condition = readWhere(scope, schema, plain)
  const where = writeWhere(
    { access: scope.access, aliases: 0, isSpread: schema.distributed ?? false },
    condition,
    alias,
  )
  const rows = openTable(work, schema, alias, where, new Map())
  return Object.keys(rest).length > 0 ? match(work, rows, rest) : rows
}

function getClass({ classes, access }: QueryScope, className: string): ClassSchema {
  refuseInternal(access, className, 'find')
  const schema = className.startsWith('_Join:') ? undefined : classes.find(className)
  if (!schema) throw invalid(`$lookup: class ${className.slice(0, 100)} does not exist.`)
  return schema
}

type Where = { [key: string]: WireValue }

/** Splits a first `$match` into conditions that a `where` can express, and the rest. */
function translateMatch(schema: ClassSchema, match: Record<string, unknown>): { plain: Where; rest: Where } {
  const [plain, rest]: [Where, Where] = [{}, {}]
  for (const [key, constraint] of Object.entries(match) as [string, WireValue][]) {
    if (isPlain(key, constraint)) put(plain, ...translate(schema, key, constraint))
    else put(rest, key, constraint)
  }
  return { plain, rest }
}

function isPlain(key: string, constraint: WireValue): boolean {
  if (foreign.has(key)) return false
  if (joining.has(key)) {
    if (!Array.isArray(constraint)) return true
    return constraint.every(
      (part) => !isObject(part) || Object.entries(part).every(([name, inner]) => isPlain(name, inner as WireValue)),
    )
  }
  return !isObject(constraint) || !Object.keys(constraint).some((operator) => foreign.has(operator))
}

function translate(schema: ClassSchema, key: string, constraint: WireValue): [string, WireValue] {
  if (joining.has(key) && Array.isArray(constraint)) {
    return [key, constraint.map((part) => (isObject(part) ? translateAll(schema, part as Where) : part))]
  }
  const [head = '', ...path] = key.split('.')
  const field = head.startsWith('_p_') ? head.slice(3) : fieldOf(head)
  const targetClass = schema.fields.get(field)?.targetClass
  const name = [field, ...path].join('.')
  return [name, targetClass === undefined ? constraint : asPointers(targetClass, constraint)]
}

function translateAll(schema: ClassSchema, where: Where): Where {
  const translated: Where = {}
  for (const [key, constraint] of Object.entries(where)) put(translated, ...translate(schema, key, constraint))
  return translated
}

/** An id, or `Class$id`, in the place of a pointer. */
function asPointers(className: string, constraint: WireValue): WireValue {
  if (typeof constraint === 'string') {
    const objectId = constraint.startsWith(`${className}$`) ? constraint.slice(className.length + 1) : constraint
    return { __type: 'Pointer', className, objectId }
  }
  if (!isObject(constraint) || Object.hasOwn(constraint, '__type')) return constraint
  return Object.fromEntries(
    Object.entries(constraint as Where).map(([operator, value]): [string, WireValue] => {
      if (operator === '$eq' || operator === '$ne') return [operator, asPointers(className, value)]
      if ((operator !== '$in' && operator !== '$nin') || !Array.isArray(value)) return [operator, value]
      return [operator, value.map((item) => (typeof item === 'string' ? asPointers(className, item) : item))]
    }),
  )
}

/** Defined, not assigned: a key may be called __proto__. Two names of one field are two conditions. */
function put(where: Where, key: string, value: WireValue): void {
  if (Object.hasOwn(where, key)) {
    where.$and = [...((where.$and as WireValue[] | undefined) ?? []), { [key]: value }]
    return
  }
  Object.defineProperty(where, key, { value, enumerable: true, configurable: true, writable: true })
}

/** The distinct values of a field, with the elements of lists taken one by one. */
export function writeDistinct(scope: QueryScope, schema: ClassSchema, field: unknown, where: unknown) {
  if (typeof field !== 'string' || field === '') throw invalid('distinct must be the name of a field.')
  if (where !== undefined && !isObject(where)) throw invalid('where must be an object of conditions.')
  const first = where ? [{ $match: where }] : []
  const last = { $project: { objectId: 0, value: '$_id' } }
  const type = schema.fields.get(field)?.type
  // A column with a plain value needs no unwinding.
  if (type === 'String' || type === 'Number' || type === 'Boolean' || type === 'Date') {
    return writePipeline(scope, schema, [
      ...first,
      { $group: { _id: `$${field}` } },
      { $match: { _id: { $ne: null } } },
      last,
    ])
  }
  return writePipeline(scope, schema, [
    ...first,
    { $project: { objectId: 0, value: `$${field}` } },
    { $unwind: '$value' },
    { $group: { _id: '$value' } },
    last,
  ])
}
