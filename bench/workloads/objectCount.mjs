import assert from 'node:assert/strict'
import { defineFind } from '../objects/defineFind.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { levelCount, levelSize } from '../objects/prepareObjects.mjs'

const next = nextNumber(levelCount)

export const workload = defineFind({
  name: 'objectCount',
  order: 10,
  title: 'Count',
  about: 'How many objects has one level, of 100,000, as a signed-in user?',
  ask: () => ({ where: { level: next() }, count: 1, limit: 0 }),
  check: ({ results, count }) => {
    assert.equal(results.length, 0)
    assert.equal(count, levelSize)
  },
  sql: { text: 'select count(*) from scores where level = $1', values: ({ level }) => [level] },
})
