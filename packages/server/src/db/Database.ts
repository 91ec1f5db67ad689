import type { ReservedConnection } from './runStatement.ts'
import type { ResultColumn, Statement } from './Statement.ts'
import type { Fragment } from './sql.ts'

/** Both databases are PostgreSQL: embedded (PGlite) or a server. Nothing above `db/` asks which. */
export type Database = {
  readonly kind: 'embedded' | 'postgres'
  /** Runs a statement of the `sql` tag, inside the transaction of the calling context where there is one. */
  query<Row = Record<string, unknown>>(statement: Fragment | Statement): Promise<Row[]>
  /**
   * All or nothing. Work that calls `transaction` again joins the open one: the embedded database
   * has one connection, so a second transaction beside it would wait for ever. Work that another
   * transaction got in the way of is run again, up to `tries` times.
   */
  transaction<Result>(work: () => Promise<Result>, options?: { tries?: number }): Promise<Result>
  /**
   * Nested work inside the transaction of the calling context: if it fails, only this part is rolled back, and its
   * caller may continue. Runs alone without a transaction, or after its end.
   */
  nest<Result>(work: () => Promise<Result>): Promise<Result>
  /** Returns true inside a transaction, whose reads may be rolled back. */
  inside(): boolean
  /**
   * Calls `act` after the commit of the calling context's transaction, which waits for it. Without a transaction it
   * runs immediately, and the promise ends with `act`.
   */
  afterCommit(act: () => unknown): Promise<void> | undefined
  /**
   * Calls `act` once the open transaction, with all its parts, is over, committed or not; immediately
   * without one, or if it has an act of this key already.
   */
  atEnd(key: string, act: () => void): void
  /** Returns true if the open transaction has an act of this key, also after a part that added it was rolled back. */
  hasEnd(key: string): boolean
  /** Keeps a value for the rest of the open transaction: a rollback, also of a part, drops it. Nothing outside of one. */
  note(key: string, value: unknown): void
  /** Value that the open transaction noted last under this key. */
  findNote(key: string): unknown
  /**
   * Reports that a finished statement changed objects of these classes (or another named thing). Watchers are called
   * after the commit: only a hint that saves them a wait.
   */
  reportChange(...names: readonly string[]): void
  /** Calls `handle`, outside any transaction, for each name that `reportChange` of this process was called with. */
  watchChanges(handle: (name: string) => void): () => void
  /**
   * Calls `handle` for each notification on the channel; the returned function ends it. Survives a lost connection, and
   * calls `missed` when it is back: notifications may have been lost.
   */
  listen(channel: string, handle: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>>
  /** Returns true if notifications are received reliably now. */
  listening(): boolean
  /** The pools of connections by name; none of the embedded database. */
  pools(): Pools
  /**
   * All of the database as it is now, for reading, while others go on writing. Of the embedded one, which has a single
   * connection, a copy is made: statements wait for as long as that takes. With `holdWrites`, writes wait until it is
   * closed.
   */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>
  close(): Promise<void>
}

export type SnapshotOptions = { holdWrites?: boolean }

export type Snapshot = {
  query<Row = Record<string, unknown>>(statement: Fragment | Statement): Promise<Row[]>
  /** Columns that a statement returns. It runs. */
  describe(statement: Statement): Promise<ResultColumn[]>
  close(): Promise<void>
}

/** How many connections each pool may and does have, how many are free, and how many statements wait for one. */
export type Pools = { [name: string]: { size: number; total: number; idle: number; waiting: number } }

/** Driver of one of the two databases; transactions are built on top. */
export type Backend = {
  /** Runs a statement outside any transaction. */
  query<Row>(statement: Statement): Promise<Row[]>
  /** A connection for the use of one transaction. */
  reserve(): Promise<ReservedConnection>
  listen(channel: string, handle: (payload: string) => void, missed: () => void): Promise<() => Promise<void>>
  listening(): boolean
  pools(): Pools
  snapshot(
    options: SnapshotOptions,
  ): Promise<Pick<Snapshot, 'describe' | 'close'> & { query<Row>(statement: Statement): Promise<Row[]> }>
  close(): Promise<void>
}

type Log = (details: object, message: string) => void

/** The part of the server's logger that the database room writes to. */
export type DatabaseLogger = { info: Log; warn: Log; error: Log }
