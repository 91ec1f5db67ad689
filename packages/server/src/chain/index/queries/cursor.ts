import { CountersignError } from '@countersign/protocol'

/** Where a page ended, and how many pages there were up to it. A place, not a row: it stays good when blocks come or go. */
export type Cursor = { after: (string | number)[]; page: number }

export function encodeCursor({ after, page }: Cursor): string {
  return Buffer.from(JSON.stringify([page, ...after])).toString('base64url')
}

/** Refuses what was not made by `encodeCursor` for the same kind of list: `kinds` are the types of its parts. */
export function decodeCursor(text: string, kinds: readonly ('number' | 'decimal' | 'address')[]): Cursor {
  const [page, ...after] = parse(text)
  const isRight = after.length === kinds.length && after.every((part, index) => isKind(part, kinds[index]))
  if (!isRight || !Number.isSafeInteger(page) || (page as number) < 0) {
    throw new CountersignError('InvalidValue', 'The cursor is not one of this list. Begin without one.')
  }
  return { after: after as (string | number)[], page: page as number }
}

function parse(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function isKind(part: unknown, kind: 'number' | 'decimal' | 'address' | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(part)
  if (kind === 'decimal') return typeof part === 'string' && /^\d{1,78}$/.test(part)
  return typeof part === 'string' && /^0x[0-9a-f]{40}$/.test(part)
}
