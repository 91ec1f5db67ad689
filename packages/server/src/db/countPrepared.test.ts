import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { nameStatement } from './createPlans.ts'
import { sql } from './sql.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 2 })
})
afterAll(() => database.close())

/** As a caller would make them who invents a shape with every request. */
const shapeOf = (index: number) => `select $1::int + ${index} as answer, '${'x'.repeat(10_000)}' as shape`

test('P13: endless shapes leave no more behind than a connection can bear, and each gets a result', async () => {
  const { db } = database
  const ask = async (index: number) => {
    const [row] = await db.query<{ answer: number }>(nameStatement(shapeOf(index), [1]))
    return row?.answer === index + 1
  }
  const answers: boolean[] = []
  for (let start = 0; start < 1_200; start += 50) {
    const shapes = Array.from({ length: 50 }, (_, i) => start + i)
    answers.push(...(await Promise.all(shapes.map(ask))), ...(await Promise.all([...shapes, 3].map(ask))))
  }
  expect(answers.every(Boolean)).toBe(true)
  // On the very connection that carried them: a named read takes the same way.
  const counts = await Promise.all(
    Array.from({ length: 4 }, () =>
      db.query<{ letters: number }>(sql.named('count-prepared')`
        select coalesce(sum(length(statement)), 0)::int as letters from pg_prepared_statements`),
    ),
  )
  for (const [row] of counts) expect(row?.letters).toBeLessThan(2_100_000)
}, 120_000)

test('a statement is named when it comes again, unless it is very long; one that comes often keeps its name', () => {
  const hot = nameStatement('select 1 as hot', [])
  expect(hot.name).toBeUndefined()
  const { name } = nameStatement('select 1 as hot', [])
  expect(name).toBeDefined()
  for (let i = 0; i < 2_500; i++) {
    nameStatement(`select ${i} as cold`, [])
    nameStatement(`select ${i} as cold`, [])
    if (i % 500 === 0) expect(nameStatement('select 1 as hot', []).name).toBe(name)
  }
  expect(nameStatement('select 0 as cold', []).name).toBeUndefined()
  const long = `select '${'x'.repeat(50_000)}'`
  expect([nameStatement(long, []).name, nameStatement(long, []).name]).toEqual([undefined, undefined])
})
