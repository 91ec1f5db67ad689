import { z } from 'zod'
import { byId, text } from './fields.ts'
import { named } from './typeNames.ts'

export const role = named(
  'OperatorRole',
  z
    .enum(['admin', 'support', 'viewer'])
    .describe('Role of an operator in the console: full access; help users; read-only.'),
)

/** Lists of the console are read page by page. */
export const limit = z
  .string()
  .regex(/^([1-9]\d?|100)$/, 'must be a number from 1 to 100')
  .optional()
export const page = { after: text(300).optional(), limit }

/** An endpoint for operators about one object. */
export const byOperator = { access: 'operator', params: byId } as const
