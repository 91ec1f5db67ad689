import { CountersignError, type WireValue } from '@countersign/protocol'

export type Body = { [key: string]: WireValue }

/** JSON whatever the content type says, since the older clients send it as text; only a true form is read as one. */
export function readBody(raw: Buffer | undefined, contentType: string | undefined): Body {
  if (!raw || raw.length === 0) return {}
  const text = raw.toString('utf8')
  // `curl -d '{…}'` calls its JSON a form; a true form would have its brace encoded.
  if (contentType?.startsWith('application/x-www-form-urlencoded') && !text.startsWith('{'))
    return Object.fromEntries(new URLSearchParams(text))
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new CountersignError('InvalidJson', `The body is not valid JSON: ${(cause as Error).message}`.slice(0, 200))
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new CountersignError('InvalidJson', 'The body must be a JSON object.')
  }
  if (text.length > walkedLength || suspicious.test(text)) refuseKeywords(body as WireValue, 0)
  return body as Body
}

/** Names that reach the prototype of an object, and a marker of another database; an escape can hide any of them. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])
const suspicious = /__proto__|constructor|prototype|_bsontype|\\u/
/** A shorter body cannot be nested deep enough to do harm. */
const walkedLength = 400
const deepest = 200

function refuseKeywords(value: WireValue, depth: number): void {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw new CountersignError('InvalidJson', 'A text may not hold the character U+0000.')
  }
  if (value === null || typeof value !== 'object') return
  if (depth > deepest) throw new CountersignError('InvalidJson', `Values may be nested ${deepest} levels deep at most.`)
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && forbidden.has(key)) {
      throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${key}"}.`)
    }
    if (key.includes('\u0000'))
      throw new CountersignError('InvalidKeyName', 'A name may not hold the character U+0000.')
    refuseKeywords(Reflect.get(value, key) as WireValue, depth + 1)
  }
}
