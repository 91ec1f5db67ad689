import { where } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'
import type { MoralisQueryClass } from './MoralisObject.ts'
import type { ParseKit } from './ParseKit.ts'
import { QueryConditions } from './QueryConditions.ts'
import { requireKept } from './requireKept.ts'

/** Conditions that are an operator and its value, or a pattern of a text. */
const conditions = {
  notEqualTo: '$ne',
  lessThan: '$lt',
  lessThanOrEqualTo: '$lte',
  greaterThan: '$gt',
  greaterThanOrEqualTo: '$gte',
  containedIn: '$in',
  notContainedIn: '$nin',
  containedBy: '$containedBy',
  containsAll: '$all',
  startsWith: where.startsWith,
  endsWith: where.endsWith,
  contains: where.contains,
} as const

/** Methods that run the query. */
const acts = ['find', 'findAll', 'first', 'get', 'count', 'each', 'map', 'filter', 'reduce', 'subscribe'] as const

/** `Moralis.Query` of a client. */
export function createQueryClass(kit: ParseKit): MoralisQueryClass {
  class ParseQuery extends QueryConditions {
    /** The documents on the device are read. */
    _isLocal = false

    fromLocalDatastore(): this {
      requireKept(kit.client, this.className)
      this._isLocal = true
      return this
    }

    static or(...queries: ParseQuery[]): ParseQuery {
      return join('$or', queries)
    }

    static and(...queries: ParseQuery[]): ParseQuery {
      return join('$and', queries)
    }

    static nor(...queries: ParseQuery[]): ParseQuery {
      return join('$nor', queries)
    }

    static fromJSON(className: string, json: Attributes): ParseQuery {
      return new ParseQuery(className).withJSON(json)
    }
  }

  for (const [name, condition] of Object.entries(conditions)) {
    Object.defineProperty(ParseQuery.prototype, name, {
      value(this: ParseQuery, key: string, value: Loose) {
        return this._add(key, typeof condition === 'string' ? { [condition]: value } : condition(value))
      },
    })
  }

  for (const name of acts) {
    Object.defineProperty(ParseQuery.prototype, name, {
      async value(this: ParseQuery, ...args: Loose[]) {
        const act: Loose = (await loadLater()).queryActs[name]
        return act(kit, this, ...args)
      },
    })
  }

  function join(operator: string, queries: readonly ParseQuery[]): ParseQuery {
    const names = new Set(queries.map(({ className }) => className))
    const [name] = names
    if (name === undefined || names.size > 1) throw new Error('All queries must be for the same class.')
    const joined = new ParseQuery(name)
    joined._where = { [operator]: queries.map(({ _where }) => _where) }
    return joined
  }

  return ParseQuery as unknown as MoralisQueryClass
}
