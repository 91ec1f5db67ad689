import type { StatementResult } from './runStatement.ts'
import type { Statement } from './Statement.ts'

/** One connection for the use of one transaction, until it is released. */
export type ReservedConnection = {
  run(statement: Statement): Promise<StatementResult>
  release(broken: boolean): void
}
