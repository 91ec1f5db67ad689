import type { WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { isObject } from './invalid.ts'
import { fieldOf } from './resolvePath.ts'

type Where = { [key: string]: WireValue }

/** Operators of MongoDB that a `where` does not have. */
const foreign = new Set(['$expr', '$comment', '$not', '$size', '$mod', '$elemMatch', '$type'])
const joining = new Set(['$and', '$or', '$nor'])

/** The conditions of a first `$match` that a `where` can say, in its words, and those that it cannot. */
export function translateMatch(schema: ClassSchema, match: Record<string, unknown>): { plain: Where; rest: Where } {
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
