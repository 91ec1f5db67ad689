import { CountersignError, type WireValue } from '@countersign/protocol'
import { parseJson } from '../context/parseJson.ts'
import { refuseKeywords } from './refuseKeywords.ts'

export type Body = { [key: string]: WireValue }

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
export function readFields(text: string): URLSearchParams {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++count > mostFields) throw new CountersignError('InvalidJson', `There may be ${mostFields} fields at most.`)
  }
  return new URLSearchParams(text)
}

const openBrace = 0x7b

/** What can hide a name that is refused; a shorter body cannot be nested deep enough to do harm. */
const suspicious = /__proto__|constructor|prototype|_bsontype|\\u/
const walkedLength = 400
