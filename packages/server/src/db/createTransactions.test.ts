import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import type { Database } from './Database.ts'
import { isUniqueViolation, TransactionEnded } from './databaseErrors.ts'
import { sql } from './sql.ts'

let opened: TestDatabase
let db: Database

beforeAll(async () => {
  // One pooled connection, as in the embedded database: work that asks for a second one would wait for ever.
  opened = await openTestDatabase({ poolSize: 1 })
  db = opened.db
  await db.query(sql`create table entries (id int primary key)`)
})

afterAll(() => opened.close())

beforeEach(async () => {
  await db.query(sql`truncate entries`)
})

const insert = (id: number) => db.query(sql.named('insert entry')`insert into entries (id) values (${id})`)

const ids = async () => (await db.query<{ id: number }>(sql`select id from entries order by id`)).map(({ id }) => id)

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 10))

test('nested transactions and statements inside one join it and do not hang', async () => {
  const result = await db.transaction(async () => {
    await insert(1)
    await db.transaction(async () => {
      await insert(2)
      await Promise.all([insert(3), db.transaction(() => insert(4)), db.query(sql`select 1`)])
    })
    return ids()
  })
  expect(result).toEqual([1, 2, 3, 4])
  expect(await ids()).toEqual([1, 2, 3, 4])
}, 120_000)

test('rolls back completely after a throw', async () => {
  const failing = db.transaction(async () => {
    await insert(1)
    await db.transaction(() => insert(2))
    throw new Error('enough')
  })
  await expect(failing).rejects.toThrow('enough')
  expect(await ids()).toEqual([])
})

test('a failed statement that the work caught still fails the transaction', async () => {
  const error = await db
    .transaction(async () => {
      await insert(1)
      await insert(1).catch(() => {})
      return 'done'
    })
    .catch((error: unknown) => error)
  expect(isUniqueViolation(error, 'entries_pkey')).toBe(true)
  expect(await ids()).toEqual([])
})

test('a failed statement that was never awaited still fails the transaction', async () => {
  const transaction = db.transaction(async () => {
    await insert(1)
    void insert(1).catch(() => {})
  })
  await expect(transaction).rejects.toThrow('entries_pkey')
  expect(await ids()).toEqual([])
})

test('a failed joined transaction takes the whole with it, caught or not', async () => {
  const transaction = db.transaction(async () => {
    await insert(1)
    await db
      .transaction(async () => {
        await insert(2)
        throw new Error('inner')
      })
      .catch(() => {})
    await insert(3)
  })
  await expect(transaction).rejects.toThrow('inner')
  expect(await ids()).toEqual([])
})

test('a savepoint of the work lets it go on after a failed statement', async () => {
  await db.transaction(async () => {
    await insert(1)
    await db.query(sql`savepoint before`)
    await insert(1).catch(() => db.query(sql`rollback to savepoint before`))
    await insert(2)
  })
  expect(await ids()).toEqual([1, 2])
})

test('a statement that comes after the end is refused and does not run outside', async () => {
  let late: Promise<unknown> | undefined
  let lateTransaction: Promise<unknown> | undefined
  await db.transaction(async () => {
    await insert(1)
    late = nextTurn().then(() => insert(2))
    lateTransaction = nextTurn().then(() => db.transaction(() => insert(3)))
    late.catch(() => {})
    lateTransaction.catch(() => {})
  })
  await expect(late).rejects.toThrow(TransactionEnded)
  await expect(lateTransaction).rejects.toThrow(TransactionEnded)
  expect(await ids()).toEqual([1])
})

test('statements outside wait for their turn and see only what was committed', async () => {
  const seen: number[][] = []
  let started = () => {}
  const underWay = new Promise<void>((resolve) => {
    started = resolve
  })
  const transaction = db.transaction(async () => {
    await insert(1)
    started()
    await nextTurn()
    await insert(2)
  })
  await underWay
  const outside = Promise.all([ids(), insert(10), db.transaction(() => insert(11)), ids()]).then(([first]) => {
    seen.push(first)
  })
  await Promise.all([transaction, outside])
  expect(seen[0]?.includes(1)).toBe(seen[0]?.includes(2))
  expect(await ids()).toEqual([1, 2, 10, 11])
})

test('transactions that change one row at a time do not lose an update', async () => {
  await insert(0)
  await Promise.all(
    Array.from({ length: 30 }, () =>
      db.transaction(async () => {
        const [row] = await db.query<{ id: number }>(sql`select id from entries for update`)
        await nextTurn()
        await db.query(sql`update entries set id = ${(row?.id ?? 0) + 1}`)
      }),
    ),
  )
  expect(await ids()).toEqual([30])
})

test('afterCommit acts once, after the commit, joined ones with the outermost', async () => {
  const acts: string[] = []
  await db.transaction(async () => {
    await db.transaction(async () => {
      db.afterCommit(() => acts.push('inner'))
      await insert(1)
    })
    db.afterCommit(() => acts.push('outer'))
    expect(acts).toEqual([])
  })
  expect(acts).toEqual(['inner', 'outer'])
  db.afterCommit(() => acts.push('at once'))
  expect(acts).toEqual(['inner', 'outer', 'at once'])
})

test('afterCommit is dropped with a rollback', async () => {
  const acts: string[] = []
  await db
    .transaction(async () => {
      db.afterCommit(() => acts.push('never'))
      throw new Error('no')
    })
    .catch(() => {})
  expect(acts).toEqual([])
})

test('atEnd acts once, whether the whole commits or fails, also from a part that is rolled back', async () => {
  const acts: string[] = []
  await db.transaction(async () => {
    await db
      .nest(async () => {
        db.atEnd('part', () => acts.push('part'))
        throw new Error('only this part')
      })
      .catch(() => {})
    await db.transaction(async () => db.atEnd('joined', () => acts.push('joined')))
    expect(db.hasEnd('part')).toBe(true)
    // Two at once: the second gives back immediately what it took.
    db.atEnd('part', () => acts.push('second'))
    expect(acts.splice(0)).toEqual(['second'])
    await insert(1)
    expect(acts).toEqual([])
  })
  expect(acts).toEqual(['part', 'joined'])
  const failing = db.transaction(async () => {
    db.atEnd('failed', () => acts.push('failed'))
    await insert(1)
  })
  await expect(failing).rejects.toThrow()
  expect(acts).toEqual(['part', 'joined', 'failed'])
  db.atEnd('at once', () => acts.push('at once'))
  expect(acts).toHaveLength(4)
})

test('work that afterCommit starts runs outside the transaction', async () => {
  let done: Promise<unknown> = Promise.resolve()
  await db.transaction(async () => {
    await insert(1)
    db.afterCommit(() => {
      done = db.transaction(() => insert(2))
    })
  })
  await done
  expect(await ids()).toEqual([1, 2])
})

test('an act that throws does not make a committed transaction look failed', async () => {
  const acts: string[] = []
  await db.transaction(async () => {
    await insert(1)
    db.afterCommit(() => {
      throw new Error('act')
    })
    db.afterCommit(() => acts.push('next'))
  })
  expect(acts).toEqual(['next'])
  expect(await ids()).toEqual([1])
})

const conflict = { text: "do $$ begin raise exception 'conflict' using errcode = '40001'; end $$" }

test('work that the database gave up is repeated up to three times, with its acts', async () => {
  const acts: number[] = []
  let tries = 0
  await db.transaction(async () => {
    tries++
    const current = tries
    db.afterCommit(() => acts.push(current))
    await insert(tries)
    // Wrapped, as a handler may: the database's own reason counts.
    if (tries < 3) await db.query(conflict).catch(() => Promise.reject(new Error('wrapped')))
  })
  expect(tries).toBe(3)
  expect(acts).toEqual([3])
  expect(await ids()).toEqual([3])

  tries = 0
  const hopeless = db.transaction(async () => {
    tries++
    await db.query(conflict)
  })
  await expect(hopeless).rejects.toMatchObject({ code: '40001' })
  expect(tries).toBe(3)
})

test('other failures are not repeated', async () => {
  let tries = 0
  const failing = db.transaction(async () => {
    tries++
    await insert(1)
    await insert(1)
  })
  await expect(failing).rejects.toThrow('entries_pkey')
  expect(tries).toBe(1)
})

test('nested work that fails is undone alone; several at once take turns, one inside another too', async () => {
  const acts: string[] = []
  await db.transaction(async () => {
    await insert(1)
    const failed = await db
      .nest(async () => {
        await insert(2)
        db.afterCommit(() => acts.push('undone'))
        await insert(1)
      })
      .catch((error: unknown) => error)
    expect(isUniqueViolation(failed)).toBe(true)
    const done = await Promise.allSettled([
      db.nest(() => insert(3)),
      db.nest(async () => {
        await insert(4)
        throw new Error('enough')
      }),
      db.nest(async () => {
        await insert(5)
        await db.nest(() => insert(1)).catch(() => {})
        db.afterCommit(() => acts.push('kept'))
      }),
    ])
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
  expect(await ids()).toEqual([1, 3, 5])
  expect(acts).toEqual(['kept'])
}, 120_000)

test('unawaited nested work belongs to the transaction; started after its end it runs alone', async () => {
  let late: Promise<unknown> | undefined
  let start = () => {}
  await db.transaction(async () => {
    void db.nest(async () => {
      await nextTurn()
      await insert(1)
    })
    const ended = new Promise<void>((resolve) => {
      start = resolve
    })
    late = ended.then(() => db.nest(() => insert(2)))
  })
  expect(await ids()).toEqual([1])
  start()
  await late
  expect(await ids()).toEqual([1, 2])

  const refused = db.transaction(async () => {
    void db.nest(() => insert(3))
    await nextTurn()
    throw new Error('enough')
  })
  await expect(refused).rejects.toThrow('enough')
  expect(await ids()).toEqual([1, 2])
}, 120_000)

test('a commit waits for what follows it', async () => {
  const acts: string[] = []
  const slow = async () => {
    await nextTurn()
    acts.push(db.inside() ? 'inside' : 'outside')
  }
  await db.transaction(async () => void db.afterCommit(slow))
  expect(acts).toEqual(['outside'])
  await db.afterCommit(slow)
  expect(acts).toEqual(['outside', 'outside'])
})

test('a reported change reaches watchers after the commit, and never after a rollback', async () => {
  const seen: [string, boolean][] = []
  const end = db.watchChanges((name) => void seen.push([name, db.inside()]))
  db.reportChange('outside')
  expect(seen).toEqual([['outside', false]])
  await db.transaction(async () => {
    await insert(2)
    db.reportChange('first', 'second')
    db.reportChange('first')
    await db.nest(async () => db.reportChange('part'))
    await db
      .nest(() => {
        db.reportChange('undone part')
        return db.query(sql`delete from entrie`)
      })
      .catch(() => {})
    expect(seen).toHaveLength(1)
  })
  expect(seen.slice(1)).toEqual([
    ['first', false],
    ['second', false],
    ['part', false],
  ])
  await db
    .transaction(async () => {
      db.reportChange('undone')
      throw new Error('no')
    })
    .catch(() => {})
  end()
  db.reportChange('unwatched')
  expect(seen).toHaveLength(4)
})
