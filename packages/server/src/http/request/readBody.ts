import { CountersignError, type WireValue } from '@countersign/protocol'
import { deepestJson, parseJson } from '../../encoding/parseJson.ts'
import type { Body } from '../../endpoint/Endpoint.ts'

/** Fields of a form, and of a query string: more than any page has. */
const mostFields = 1_000

/** JSON whatever the content type says, since the older clients send it as text; only a true form is read as one. */
export function readBody(raw: Buffer | undefined, contentType?: string, limit?: number): Body {
  if (!raw || raw.length === 0) return {}
  // `curl -d '{…}'` calls its JSON a form; a true form would have its brace encoded.
  if (contentType?.startsWith('application/x-www-form-urlencoded') && raw[0] !== openBrace) {
    return Object.fromEntries(readFields(raw.toString('utf8')))
  }
  let body: unknown
  try {
    body = parseJson(raw, limit)
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause
    throw new CountersignError('InvalidJson', `The body is not valid JSON: ${(cause as Error).message}`.slice(0, 200))
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new CountersignError('InvalidJson', 'The body must be a JSON object.')
  }
  if (raw.length > walkedLength || suspicious.test(raw.toString('latin1'))) refuseKeywords(body as WireValue)
  return body as Body
}

/** The pairs of a form or of a query string. Each takes its time, so they are counted first. */
function readFields(text: string): URLSearchParams {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++count > mostFields)
      throw new CountersignError('InvalidJson', `A request can have at most ${mostFields} fields.`)
  }
  return new URLSearchParams(text)
}

const openBrace = 0x7b

/** Texts that may hide a forbidden name. Shorter bodies cannot be nested deep enough to do harm. */
const suspicious = /__proto__|constructor|prototype|_bsontype|\\u/

const walkedLength = 400

/** The query string. Values are JSON where they parse as such, except where an endpoint wants them as they are. */
export function readQuery(search: string, asText: boolean): Body {
  const query: Body = {}
  if (search === '') return query
  for (const [key, value] of readFields(search)) {
    const read = asText ? value : readJsonText(value)
    if (key !== '__proto__') query[key] = read
    // An assignment would set the prototype.
    else Object.defineProperty(query, key, { value: read, enumerable: true, configurable: true, writable: true })
  }
  return query
}

/** A text that is JSON, read; any other as it is. */
export function readJsonText(value: string): WireValue {
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

/** Names that reach the prototype of an object, and a marker of another database. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])

/** P1: refuses values that are nested too deep, that hold names of the prototype, or what the database cannot hold. */
function refuseKeywords(value: WireValue, depth = 0): void {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw new CountersignError('InvalidJson', 'A text must not contain the character U+0000.')
  }
  if (value === null || typeof value !== 'object') return
  if (depth > deepestJson)
    throw new CountersignError('InvalidJson', `Values can be nested at most ${deepestJson} levels deep.`)
  if (Array.isArray(value)) {
    for (const item of value) refuseKeywords(item, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    if (forbidden.has(key)) {
      throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${key}"}.`)
    }
    if (key.includes('\u0000'))
      throw new CountersignError('InvalidKeyName', 'A name must not contain the character U+0000.')
    refuseKeywords(Reflect.get(value, key) as WireValue, depth + 1)
  }
}
