import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import type { Database } from './Database.ts'
import { isUniqueViolation, TransactionEnded } from './databaseErrors.ts'

let opened: TestDatabase
let db: Database

beforeAll(async () => {
  // One pooled connection, as in the embedded database: work that asks for a second one would wait for ever.
  opened = await openTestDatabase({ poolSize: 1 })
  db = opened.db
  await db.query({ text: 'create table entries (id int primary key)' })
})

afterAll(() => opened.close())

beforeEach(async () => {
  await db.query({ text: 'truncate entries' })
})

const insert = (id: number) =>
  db.query({ name: 'insert entry', text: 'insert into entries (id) values ($1)', values: [id] })

const ids = async () =>
  (await db.query<{ id: number }>({ text: 'select id from entries order by id' })).map(({ id }) => id)

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 10))

test('nested transactions and statements inside one join it and do not hang', async () => {
  const result = await db.transaction(async () => {
    await insert(1)
    await db.transaction(async () => {
      await insert(2)
      await Promise.all([insert(3), db.transaction(() => insert(4)), db.query({ text: 'select 1' })])
    })
    return ids()
  })
  expect(result).toEqual([1, 2, 3, 4])
  expect(await ids()).toEqual([1, 2, 3, 4])
}, 5_000)

test('what a throw ends is rolled back whole', async () => {
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
    await db.query({ text: 'savepoint before' })
    await insert(1).catch(() => db.query({ text: 'rollback to savepoint before' }))
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
        const [row] = await db.query<{ id: number }>({ text: 'select id from entries for update' })
        await nextTurn()
        await db.query({ text: 'update entries set id = $1', values: [(row?.id ?? 0) + 1] })
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
}, 5_000)

test('nested work that nobody waits for belongs to the transaction; begun after its end it stands by itself', async () => {
  let late: Promise<unknown> | undefined
  await db.transaction(async () => {
    void db.nest(async () => {
      await nextTurn()
      await insert(1)
    })
    late = nextTurn().then(async () => {
      await nextTurn()
      await nextTurn()
      await db.nest(() => insert(2))
    })
  })
  expect(await ids()).toEqual([1])
  await late
  expect(await ids()).toEqual([1, 2])

  const refused = db.transaction(async () => {
    void db.nest(() => insert(3))
    await nextTurn()
    throw new Error('enough')
  })
  await expect(refused).rejects.toThrow('enough')
  expect(await ids()).toEqual([1, 2])
}, 5_000)

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

test('writes are told once they are committed, reads and what was undone are not', async () => {
  const told: [string, boolean][] = []
  const end = db.watchWrites((text) => void told.push([text.replace(/ \(id\).*/, ''), db.inside()]))
  await ids()
  await insert(1)
  await insert(1).catch(() => {})
  expect(told).toEqual([['insert into entries', false]])
  await db.transaction(async () => {
    await insert(2)
    await db.nest(() => db.query({ text: 'delete from entries where id = 1' }))
    await db.nest(() => db.query({ text: 'delete from entrie' })).catch(() => {})
    await ids()
    expect(told).toHaveLength(1)
  })
  expect(told.slice(1)).toEqual([
    ['insert into entries', false],
    ['delete from entries where id = 1', false],
  ])
  await db
    .transaction(async () => {
      await insert(3)
      throw new Error('no')
    })
    .catch(() => {})
  end()
  await insert(4)
  expect(told).toHaveLength(3)
})
