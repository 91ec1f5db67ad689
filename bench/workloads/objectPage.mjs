import assert from 'node:assert/strict'
import { defineFind } from '../objects/defineFind.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'

const next = nextNumber(900_000)

export const workload = defineFind({
  name: 'objectPage',
  order: 8,
  title: 'Sorted page',
  about: 'The 20 objects with the most points below a mark, of 100,000, cheaters left out, as a signed-in user.',
  ask: () => ({ where: { points: { $lt: next() + 50_000 }, cheated: false }, order: '-points', limit: 20 }),
  check: ({ results }) => {
    assert.equal(results.length, 20)
    assert.ok(results[0].points > results[19].points)
  },
  sql: {
    text: 'select * from scores where points < $1 and not cheated order by points desc limit 20',
    values: ({ points }) => [points.$lt],
  },
})
