import { createHash } from 'node:crypto'

/** Hash of an account's code, to detect changes since it was proven; null without code. */
export function hashCode(code: string): string | null {
  return code === '0x' ? null : createHash('sha256').update(code.slice(2).toLowerCase(), 'hex').digest('hex')
}
