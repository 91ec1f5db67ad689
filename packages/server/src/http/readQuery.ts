import type { WireValue } from '@countersign/protocol'
import type { Body } from './readBody.ts'
import { refuseKeywords } from './refuseKeywords.ts'

/** The query string. Values are JSON where they parse as such, except where an endpoint wants them as they are. */
export function readQuery(search: string, asText: boolean): Body {
  const query: Body = {}
  if (search === '') return query
  for (const [key, value] of new URLSearchParams(search)) {
    Object.defineProperty(query, key, {
      value: asText ? value : parse(value),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return query
}

function parse(value: string): WireValue {
  let parsed: WireValue
  try {
    parsed = JSON.parse(value)
  } catch {
    return value
  }
  refuseKeywords(parsed)
  return parsed
}
