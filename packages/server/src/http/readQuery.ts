import { CountersignError, type WireValue } from '@countersign/protocol'
import { parseJson } from '../context/parseJson.ts'
import { type Body, readFields } from './readBody.ts'
import { refuseKeywords } from './refuseKeywords.ts'

/** The query string. Values are JSON where they parse as such, except where an endpoint wants them as they are. */
export function readQuery(search: string, asText: boolean): Body {
  const query: Body = {}
  if (search === '') return query
  for (const [key, value] of readFields(search)) {
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
    parsed = parseJson(value) as WireValue
  } catch (error) {
    if (error instanceof CountersignError) throw error
    return value
  }
  refuseKeywords(parsed)
  return parsed
}
