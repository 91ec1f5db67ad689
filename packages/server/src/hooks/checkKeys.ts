import { CountersignError, type WireValue } from '@countersign/protocol'

const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])
const deepest = 200

/** What a request may not hold, a hook may not put in either: it may have passed on what somebody sent it. */
export function checkKeys(value: WireValue, depth = 0): void {
  if (value === null || typeof value !== 'object') return
  if (depth > deepest) throw new CountersignError('InvalidJson', `Values may be nested ${deepest} levels deep at most.`)
  for (const [key, inner] of Object.entries(value)) {
    if (forbidden.has(key)) {
      throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${key}"}.`)
    }
    checkKeys(inner as WireValue, depth + 1)
  }
}
