/** One SQL statement. A named one is prepared once a connection: for the hot paths. */
export type Statement = {
  text: string
  values?: unknown[]
  name?: string
  /** A named write that waits for no disk and no lock, so that it may travel among the reads. */
  quick?: boolean
  /** A read for a caller who may wait so many milliseconds; it keeps nobody else from the database meanwhile. */
  timeout?: number
}

/** Both databases are PostgreSQL: embedded (PGlite) or a server. Nothing above `db/` asks which. */
export type Database = {
  readonly kind: 'embedded' | 'postgres'
  /** Runs a statement, inside the transaction of the calling context where there is one. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>
  /**
   * All or nothing. Work that calls `transaction` again joins the open one: the embedded database
   * has one connection, so a second transaction beside it would wait for ever. Work that another
   * transaction got in the way of is run again, up to `tries` times.
   */
  transaction<Result>(work: () => Promise<Result>, options?: { tries?: number }): Promise<Result>
  /**
   * Work of its own inside the transaction of the calling context: where it fails, it alone is undone, and whoever
   * called it may go on. By itself where there is no transaction, or where that has ended.
   */
  nest<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether the calling context belongs to a transaction: what it reads may never come to be. */
  inside(): boolean
  /**
   * Calls `act` once the transaction of the calling context has committed, which waits for it; at once where there is
   * none, and the answer ends when `act` does.
   */
  afterCommit(act: () => unknown): Promise<void> | undefined
  /**
   * Calls `handle` with the text of each statement of this process that may have changed something, once that is
   * committed. Outside any transaction. A function that writes goes unnoticed: this is a hint, no more.
   */
  watchWrites(handle: (text: string) => void): () => void
  /**
   * Calls `handle` for each notification on the channel; the answer ends it. Survives a lost connection, and
   * calls `missed` when it is back: notifications may have passed by meanwhile.
   */
  listen(channel: string, handle: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>>
  /** Whether notifications can be trusted to arrive now. */
  listening(): boolean
  close(): Promise<void>
}
