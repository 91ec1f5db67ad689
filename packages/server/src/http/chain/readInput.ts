import { CountersignError } from '@countersign/protocol'
import type { z } from 'zod'
import type { Body } from '../readBody.ts'

const isMissing = (name: string) => `${name} is missing.`

/** What was sent, checked and made into what it stands for. Null and empty text are nothing, as the older clients mean them. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  body: Body,
  describeMissing: (name: string) => string = isMissing,
): z.output<Schema> {
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    const value = body[name]
    if (value !== null && value !== undefined && value !== '') given[name] = value
  }
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const name = String(issue?.path[0] ?? 'The request')
  if (given[name] === undefined && issue?.path.length === 1)
    throw new CountersignError('InvalidValue', describeMissing(name))
  const place = issue?.path.map(String).join('.') ?? ''
  throw new CountersignError('InvalidValue', `${place} ${(issue?.message ?? 'is not right').slice(0, 300)}`.trim())
}
