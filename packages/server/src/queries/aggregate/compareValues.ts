import type { Bindings } from '../../db/createBindings.ts'
import { asDate, asId, asJson, asNumber } from './convert.ts'
import type { Value, ValueType } from './Value.ts'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A condition that is true or false, never null. Values of different types are unequal and in no order. */
export function compareValues(bindings: Bindings, comparison: Comparison, left: Value, right: Value): string {
  const sides = bring(bindings, left, right)
  if (!sides)
    return comparison === '<>'
      ? `(${left.sql} is not null or ${right.sql} is not null)`
      : bothMissing(comparison, left, right)
  if (comparison === '=') return `(${sides[0]} is not distinct from ${sides[1]})`
  if (comparison === '<>') return `(${sides[0]} is distinct from ${sides[1]})`
  return `coalesce(${sides[0]} ${comparison} ${sides[1]}, false)`
}

function bothMissing(comparison: Comparison, left: Value, right: Value): string {
  return comparison === '=' ? `(${left.sql} is null and ${right.sql} is null)` : 'false'
}

/** Both sides in one type; `undefined` where their types have nothing in common. */
function bring(bindings: Bindings, left: Value, right: Value): [string, string] | undefined {
  if (left.type === 'pointer' || right.type === 'pointer') {
    const other = left.type === 'pointer' ? right.type : left.type
    return other === 'pointer' || other === 'text' || other === 'json' ? [asId(left), asId(right)] : undefined
  }
  if (left.type === right.type) return [left.sql, right.sql]
  if (left.type !== 'json' && right.type !== 'json') return undefined
  const typed = left.type === 'json' ? right : left
  if (typed.type === 'number') return [asNumber(left), asNumber(right)]
  if (typed.type === 'date') return [safeDate(left), safeDate(right)]
  return [asJson(bindings, left), asJson(bindings, right)]
}

/** A text of any kind must not break a comparison with a date: only what looks like one is read as one. */
function safeDate(value: Value): string {
  if (value.type !== 'json') return value.sql
  return `case when ${value.sql} #>> '{}' ~ '^\\d{4}-\\d\\d-\\d\\dT' or ${value.sql} ->> '__type' = 'Date' then ${asDate(value)} end`
}

/** The one type of several values, or json where they differ. */
export function commonType(values: Value[]): ValueType {
  const [first] = values
  if (!first) return 'json'
  const same = values.every((value) => value.type === first.type && value.targetClass === first.targetClass)
  return same ? first.type : 'json'
}
