import { createHash } from 'node:crypto'

/** What tells whether an account on a chain still runs the code that it was proven by; null where there is none. */
export function hashCode(code: string): string | null {
  return code === '0x' ? null : createHash('sha256').update(code.slice(2).toLowerCase(), 'hex').digest('hex')
}
