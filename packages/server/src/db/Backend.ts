import type { ReservedConnection } from './createTransactions.ts'
import type { Statement } from './Database.ts'

/** What each of the two databases brings along; transactions are laid over it. */
export type Backend = {
  /** Runs a statement outside any transaction. */
  query<Row>(statement: Statement): Promise<Row[]>
  /** A connection for the use of one transaction. */
  reserve(): Promise<ReservedConnection>
  listen(channel: string, handle: (payload: string) => void, missed: () => void): Promise<() => Promise<void>>
  listening(): boolean
  close(): Promise<void>
}
