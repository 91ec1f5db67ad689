import { CountersignError, type WireValue } from '@countersign/protocol'
import { refuseKeywords } from './refuseKeywords.ts'

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
  if (text.length > walkedLength || suspicious.test(text)) refuseKeywords(body as WireValue)
  return body as Body
}

/** What can hide a name that is refused; a shorter body cannot be nested deep enough to do harm. */
const suspicious = /__proto__|constructor|prototype|_bsontype|\\u/
const walkedLength = 400
