import { type ErrorName, errorCodes, type NamedReason, type ReasonParams, reasons, refuse } from '@countersign/protocol'
import type { z } from 'zod'
import { safeParse } from '../encoding/safeParse.ts'
import type { Body, Endpoint } from './Endpoint.ts'

/** The input of an endpoint and the parts of its path, by its contract. */
export function parseRequest(endpoint: Endpoint, given: Body, params: Record<string, string>) {
  const { input, omitsEmpty, ownFields, missing } = endpoint
  const isPlain = ownFields?.every((name) => !Object.hasOwn(given, name))
  return {
    params: parseInput(endpoint.params, params) as Record<string, string>,
    input: (isPlain ? given : parseInput(input, omitsEmpty ? withoutEmpty(given) : given, missing)) as Body,
  }
}

/** Parses input by the contract, or rejects it with the name of the field. */
function parseInput(schema: z.ZodType | undefined, given: object, describeMissing?: (field: string) => string): object {
  if (!schema) return given
  const read = safeParse(schema, given)
  if (read.success) return read.data as object
  // With the values that were wrong, which makes the parse many times slower: only where it is refused.
  const issue = innermost(safeParse(schema, given, { reportInput: true }).error?.issues[0])
  const field = issue?.path.map(String).join('.').slice(0, 100) || 'The request'
  // A field may name the reason that it is refused with.
  if (issue && Object.hasOwn(reasons, issue.message)) {
    const name = issue.message as NamedReason
    throw refuse(name, paramsOf(name, { field, ...(issue.code === 'too_big' && { max: Number(issue.maximum) }) }))
  }
  // Or the number that older clients know for it, with words of its own after a colon.
  const [name = '', words] = issue?.message.split(/: (.*)/s, 2) ?? []
  const code = Object.hasOwn(errorCodes, name) ? (name as ErrorName) : undefined
  const problem = issue ? describeIssue(issue, code ? words : undefined) : 'is not valid'
  const isMissing = issue?.input === undefined && issue?.path.length === 1
  const sentence = isMissing ? describeMissing?.(field) : undefined
  throw refuse('invalidInput', { field, problem }, { ...(code && { code }), ...(sentence && { sentence }) })
}

/** Older clients send null and empty text for what they do not mean. */
function withoutEmpty(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
}

/** Returns the nested issue of an object's key, which has the details. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  const [inner] = issue?.code === 'invalid_key' ? issue.issues : []
  return issue && inner ? ({ ...inner, path: issue.path, input: issue.path.at(-1) } as z.core.$ZodIssue) : issue
}

/** The values that the sentence of a reason names. */
function paramsOf(name: NamedReason, values: ReasonParams): ReasonParams | undefined {
  const { sentence } = reasons[name]
  const named = Object.entries(values).filter(([key]) => sentence.includes(`{${key}}`))
  return named.length > 0 ? Object.fromEntries(named) : undefined
}

function describeIssue(issue: z.core.$ZodIssue, words: string | undefined): string {
  if (issue.input === undefined) return 'is required'
  if (words !== undefined) return words
  const own = Object.hasOwn(errorCodes, issue.message) ? 'is not valid' : issue.message.slice(0, 300)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(issue.expected)}`
    case 'too_big':
      return `must be at most ${limitOf(issue.origin, issue.maximum)}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${limitOf(issue.origin, issue.minimum)}`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an ISO time, such as 2030-01-31T12:00:00.000Z'
        : issue.format === 'regex'
          ? own
          : `must be ${withArticle(issue.format)}`
    default:
      return own
  }
}

function limitOf(origin: string, limit: number | bigint): string {
  if (origin === 'string') return `${limit} characters long`
  if (origin === 'array' || origin === 'set') return `a list of ${limit} entries`
  return String(limit)
}

function withArticle(type: string): string {
  if (type === 'array') return 'a list'
  if (type === 'record') return 'an object'
  if (type === 'int') return 'a whole number'
  if (type === 'boolean') return 'true or false'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

/** Refuses a text that is longer than that, by the name of its field. */
export function refuseLong(field: string, text: string, max: number): void {
  if (text.length > max) throw refuse('textTooLong', { field, max })
}
