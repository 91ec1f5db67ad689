import { CountersignError } from '@countersign/protocol'
import type { Hex } from '../nodes/Chain.ts'

/** An address as callers write it, in lower case. */
export function readAddress(value: unknown, name = 'address'): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase() as Hex
  throw new CountersignError('InvalidValue', `${name} must be an address: 0x and forty hex digits.`)
}
