import { type NamedReason, reasons, refuse } from '@countersign/protocol'
import type { z } from 'zod'

/** What was sent, by the contract: made into what the handler takes, or refused with the name of the field. */
export function parseInput(schema: z.ZodType | undefined, given: object): object {
  if (!schema) return given
  const read = schema.safeParse(given)
  if (read.success) return read.data as object
  const issue = read.error.issues[0]
  // A field may name the reason that it is refused with.
  if (issue && issue.message in reasons) throw refuse(issue.message as NamedReason)
  const field = issue?.path.map(String).join('.').slice(0, 100) || 'The request'
  throw refuse('invalidInput', { field, problem: issue ? describeIssue(issue) : 'is not valid' })
}

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${withArticle(issue.expected)}`
    case 'too_big':
      return `must be ${limitOf(issue.origin, issue.maximum)} at most`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be ${limitOf(issue.origin, issue.minimum)} at least`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an ISO time, such as 2030-01-31T12:00:00.000Z'
        : `must be ${withArticle(issue.format)}`
    default:
      return issue.message.slice(0, 300)
  }
}

function limitOf(origin: string, limit: number | bigint): string {
  if (origin === 'string') return `${limit} characters long`
  if (origin === 'array' || origin === 'set') return `a list of ${limit} entries`
  return String(limit)
}

function withArticle(type: string): string {
  if (type === 'array') return 'a list'
  if (type === 'int') return 'a whole number'
  if (type === 'boolean') return 'true or false'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
