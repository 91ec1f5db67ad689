import { emitSame } from '../emit.ts'
import type { Rows, Work } from '../Work.ts'
import { writeMatch } from '../writeMatch.ts'

export function match(work: Work, rows: Rows, argument: unknown): Rows {
  return emitSame(work, rows, `from ${rows.table} where ${writeMatch({ work, scope: rows.scope, depth: 0 }, argument)}`)
}
