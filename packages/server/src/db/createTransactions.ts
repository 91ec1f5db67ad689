import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseLogger } from './Database.ts'
import { isConflict, isStaleStatement, TransactionEnded } from './databaseErrors.ts'
import type { ReservedConnection } from './runStatement.ts'
import type { Statement } from './Statement.ts'
import { compile, type Fragment } from './sql.ts'

type Transaction = {
  connection: ReservedConnection
  state: 'open' | 'ended' | 'committed'
  /** Of the first statement that failed. */
  failure: unknown
  /** Of the first joined transaction that failed: what it did must not be kept, so nothing is. */
  joinedFailure: unknown
  acts: Act[]
  /** Run when it is over, committed or not; kept by the outermost one. */
  ends: Map<string, () => void>
  /** Reported changes; empty while nobody watches. */
  changed: Set<string>
  notes: Map<string, unknown>
  /** The one that it is a part of, which it can fail without. */
  whole?: Transaction
  /** Ends when the parts that are under way have: two at once would undo each other. */
  parts: Promise<unknown>
}

type Act = () => unknown

export type TransactionOptions = {
  /** How often the whole work is tried where the database gave it up in favour of another. */
  tries?: number
}

export type Transactions = {
  query<Row>(statement: Fragment | Statement): Promise<Row[]>
  transaction<Result>(work: () => Promise<Result>, options?: TransactionOptions): Promise<Result>
  nest<Result>(work: () => Promise<Result>): Promise<Result>
  afterCommit(act: Act): Promise<void> | undefined
  atEnd(key: string, act: () => void): void
  hasEnd(key: string): boolean
  note(key: string, value: unknown): void
  findNote(key: string): unknown
  reportChange(...names: readonly string[]): void
  watchChanges(handle: (name: string) => void): () => void
  /** Returns true inside a transaction. */
  inside(): boolean
  /** Calls `act` in a context that belongs to no transaction. */
  outside(act: Act): Promise<void>
}

type Parts = {
  query: <Row>(statement: Statement) => Promise<Row[]>
  reserve: () => Promise<ReservedConnection>
  logger?: DatabaseLogger | undefined
}

function ended(): TransactionEnded {
  return new TransactionEnded(
    'The transaction has already ended. Await every statement inside it, or start later work with afterCommit.',
  )
}

function isOpen({ state, whole }: Transaction): boolean {
  return state === 'open' && (whole === undefined || isOpen(whole))
}

function outermost(transaction: Transaction): Transaction {
  return transaction.whole ? outermost(transaction.whole) : transaction
}

function findNote({ notes, whole }: Transaction, key: string): unknown {
  return notes.has(key) ? notes.get(key) : whole && findNote(whole, key)
}

function draft(connection: ReservedConnection): Transaction {
  return {
    connection,
    state: 'open',
    failure: undefined,
    joinedFailure: undefined,
    acts: [],
    ends: new Map(),
    changed: new Set(),
    notes: new Map(),
    parts: Promise.resolve(),
  }
}

type Storage = AsyncLocalStorage<Transaction>

/** Carries the open transaction in the asynchronous context, so that whatever the work calls joins it. */
export function createTransactions({ query, reserve, logger }: Parts): Transactions {
  const storage = new AsyncLocalStorage<Transaction>()
  const root = new AsyncResource('countersign.transactions')
  const watchers = new Set<(name: string) => void>()
  let open = 0
  let rest: NodeJS.Timeout | undefined

  // A context that is carried along costs every promise of the process; where nothing was open for a while, none is.
  const enter = () => {
    open++
    clearTimeout(rest)
  }
  const leave = () => {
    if (--open > 0) return
    // The timer is kept after it has fired, and would keep the context of the last transaction.
    rest = root.runInAsyncScope(() => setTimeout(() => storage.disable(), 1_000))
    rest.unref()
  }

  const outside = (act: Act): Promise<void> =>
    storage.exit(async () => {
      try {
        await act()
      } catch (error) {
        logger?.error({ err: error }, 'Work that follows a change in the database failed')
      }
    })

  const notify = (names: Iterable<string>) => {
    for (const name of names) for (const handle of watchers) void outside(() => handle(name))
  }

  const begin = async <Result>(work: () => Promise<Result>, tries: number): Promise<Result> => {
    enter()
    try {
      return await repeat(work, tries)
    } finally {
      leave()
    }
  }

  const repeat = async <Result>(work: () => Promise<Result>, tries: number): Promise<Result> => {
    for (let tried = 1; ; tried++) {
      const transaction = draft(await reserve())
      try {
        const result = await attempt(storage, transaction, work)
        // First: what follows may take its time.
        notify(transaction.changed)
        for (const act of transaction.acts) await outside(act)
        return result
      } catch (error) {
        const reason = transaction.failure ?? error
        if (tried >= tries || !(isConflict(reason) || isStaleStatement(reason))) throw error
        // Random delay, so that two conflicting transactions do not collide again.
        await pause(Math.random() * 20 * tried)
      } finally {
        for (const act of transaction.ends.values()) act()
      }
    }
  }

  const nest = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const whole = storage.getStore()
    if (whole === undefined) return work()
    // It outlived the transaction that it was begun in.
    if (!isOpen(whole)) return storage.exit(work)
    const done = whole.parts.then(() => (isOpen(whole) ? runPart(storage, whole, work) : storage.exit(work)))
    whole.parts = done.catch(() => {})
    return done
  }

  return {
    query: (given) => {
      const statement = 'text' in given ? given : compile(given)
      const transaction = storage.getStore()
      return transaction === undefined ? query(statement) : queryInside(transaction, statement)
    },
    transaction: (work, { tries = 3 } = {}) => {
      const transaction = storage.getStore()
      return transaction === undefined ? begin(work, tries) : join(transaction, work)
    },
    nest,
    afterCommit: (act) => {
      const transaction = storage.getStore()
      if (transaction?.state === 'open') transaction.acts.push(act)
      else if (transaction === undefined || transaction.state === 'committed') return outside(act)
      return undefined
    },
    atEnd: (key, act) => {
      const transaction = storage.getStore()
      const whole = transaction && outermost(transaction)
      if (whole?.state === 'open' && !whole.ends.has(key)) whole.ends.set(key, act)
      else act()
    },
    hasEnd: (key) => {
      const transaction = storage.getStore()
      return transaction !== undefined && outermost(transaction).ends.has(key)
    },
    note: (key, value) => {
      const transaction = storage.getStore()
      if (transaction?.state === 'open') transaction.notes.set(key, value)
    },
    findNote: (key) => {
      const transaction = storage.getStore()
      return transaction && isOpen(transaction) ? findNote(transaction, key) : undefined
    },
    reportChange: (...names) => {
      if (watchers.size === 0) return
      const transaction = storage.getStore()
      if (transaction?.state === 'open') for (const name of names) transaction.changed.add(name)
      else if (transaction === undefined || transaction.state === 'committed') notify(names)
    },
    watchChanges: (handle) => {
      watchers.add(handle)
      return () => void watchers.delete(handle)
    },
    inside: () => storage.getStore() !== undefined,
    outside,
  }
}

function queryInside<Row>(transaction: Transaction, statement: Statement): Promise<Row[]> {
  if (!isOpen(transaction)) return Promise.reject(ended())
  return transaction.connection.run(statement).then(
    (result) => result.rows,
    (error) => {
      transaction.failure ??= error
      throw error
    },
  )
}

/** One try of a transaction: commits what the work did, or rolls it back. */
async function attempt<Result>(
  storage: Storage,
  transaction: Transaction,
  work: () => Promise<Result>,
): Promise<Result> {
  const { connection } = transaction
  let broken = false
  try {
    // Not awaited: it goes out together with the first statement, which saves a round trip.
    const begun = connection.run({ text: 'begin' })
    begun.catch(() => {})
    const result = await storage.run(transaction, work)
    // Unawaited work still belongs to the transaction.
    await transaction.parts
    transaction.state = 'ended'
    await begun
    if (transaction.joinedFailure !== undefined) throw transaction.joinedFailure
    const { command } = await connection.run({ text: 'commit' })
    // PostgreSQL responds to the commit of a failed transaction with a rollback, not with an error.
    if (command !== 'COMMIT') throw transaction.failure ?? new Error('The transaction was rolled back.')
    transaction.state = 'committed'
    return result
  } catch (error) {
    transaction.state = 'ended'
    await connection.run({ text: 'rollback' }).catch(() => {
      broken = true
    })
    throw error
  } finally {
    connection.release(broken)
  }
}

async function join<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  if (!isOpen(transaction)) throw ended()
  try {
    return await work()
  } catch (error) {
    transaction.joinedFailure ??= error
    throw error
  }
}

/** Work inside a transaction that can fail without it, by a savepoint. */
async function runPart<Result>(storage: Storage, whole: Transaction, work: () => Promise<Result>): Promise<Result> {
  const inner: Transaction = { ...draft(whole.connection), whole }
  const { connection } = whole
  try {
    await queryInside(whole, { text: 'savepoint part' })
    const result = await storage.run(inner, work)
    await inner.parts
    const failure = inner.joinedFailure ?? inner.failure
    if (failure !== undefined) throw failure
    inner.state = 'ended'
    await queryInside(whole, { text: 'release savepoint part' })
    whole.acts.push(...inner.acts)
    for (const name of inner.changed) whole.changed.add(name)
    for (const [key, value] of inner.notes) whole.notes.set(key, value)
    return result
  } catch (error) {
    inner.state = 'ended'
    // Only the whole can be tried again.
    if (isConflict(inner.failure)) whole.failure ??= inner.failure
    if (isOpen(whole)) {
      await connection.run({ text: 'rollback to savepoint part' })
      await connection.run({ text: 'release savepoint part' })
    }
    throw error
  }
}
