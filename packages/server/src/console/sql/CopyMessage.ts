import type { ReadableTable } from './readableTables.ts'
import type { SqlResult } from './writeSql.ts'

/** Messages to the process of copies. Each gets one message back. */
export type ToCopy =
  | { kind: 'begin'; tables: ReadableTable[] }
  | { kind: 'rows'; table: string; rows: string }
  | { kind: 'query'; text: string; tables: ReadableTable[] }

export type FromCopy = { kind: 'done'; result?: SqlResult } | { kind: 'failed'; message: string; code?: string }
