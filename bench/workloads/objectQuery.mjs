import assert from 'node:assert/strict'
import { defineFind } from '../objects/defineFind.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { levelCount, levelSize } from '../objects/prepareObjects.mjs'

const next = nextNumber(levelCount)

export const workload = defineFind({
  name: 'objectQuery',
  order: 7,
  title: 'Query by an indexed field',
  about: 'The 20 objects of one level, of 100,000, as a signed-in user.',
  ask: () => ({ where: { level: next() } }),
  check: ({ results }) => {
    assert.equal(results.length, levelSize)
    assert.equal(results[0].level, results[levelSize - 1].level)
  },
  sql: { text: 'select * from scores where level = $1 limit 100', values: ({ level }) => [level] },
})
