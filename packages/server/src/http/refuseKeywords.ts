import { CountersignError, type WireValue } from '@countersign/protocol'
import { deepestJson } from '../context/parseJson.ts'

/** Names that reach the prototype of an object, and a marker of another database. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])

/** P1: refuses values that are nested too deep, that hold names of the prototype, or what the database cannot hold. */
export function refuseKeywords(value: WireValue, depth = 0): void {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw new CountersignError('InvalidJson', 'A text may not hold the character U+0000.')
  }
  if (value === null || typeof value !== 'object') return
  if (depth > deepestJson)
    throw new CountersignError('InvalidJson', `Values may be nested ${deepestJson} levels deep at most.`)
  if (Array.isArray(value)) {
    for (const item of value) refuseKeywords(item, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    if (forbidden.has(key)) {
      throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${key}"}.`)
    }
    if (key.includes('\u0000'))
      throw new CountersignError('InvalidKeyName', 'A name may not hold the character U+0000.')
    refuseKeywords(Reflect.get(value, key) as WireValue, depth + 1)
  }
}
