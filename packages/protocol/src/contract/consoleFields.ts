import { z } from 'zod'
import { byId, text } from './fields.ts'

/** What an operator may do. */
export const role = z.enum(['admin', 'support', 'viewer'])

/** Lists of the console are read page by page. */
export const limit = z
  .string()
  .regex(/^([1-9]\d?|100)$/, 'must be a number from 1 to 100')
  .optional()
export const page = { after: text(300).optional(), limit }

/** An endpoint for operators about one object. */
export const byOperator = { access: 'operator', params: byId } as const
