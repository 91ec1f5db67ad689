import type { WireFields, WireValue } from '@countersign/protocol'
import type { ParseSdk } from './ParseSdk.ts'

/** Parameters as functions of the older form get them: dates, files and pointers are made into what they stand for. */
export function readParams(parse: ParseSdk, params: WireFields): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, readParam(parse, value)]))
}

function readParam(parse: ParseSdk, value: WireValue): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => readParam(parse, item))
  const { __type } = value as WireFields
  if (__type === 'Date' || __type === 'File' || __type === 'Pointer') return parse._decode(null, value)
  return readParams(parse, value as WireFields)
}
