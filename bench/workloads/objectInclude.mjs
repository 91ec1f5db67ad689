import assert from 'node:assert/strict'
import { defineFind } from '../objects/defineFind.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { levelCount, levelSize } from '../objects/prepareObjects.mjs'

const next = nextNumber(levelCount)

export const workload = defineFind({
  name: 'objectInclude',
  order: 9,
  title: 'Query with include',
  about: 'The 20 objects of one level with the object that each points to, as a signed-in user.',
  ask: () => ({ where: { level: next() }, include: 'game' }),
  check: ({ results }) => {
    assert.equal(results.length, levelSize)
    assert.match(results[0].game.title, /^game \d+$/)
  },
  sql: {
    text: `select scores.*, to_jsonb(games) as game from scores join games on games.id = scores.game where level = $1 limit 100`,
    values: ({ level }) => [level],
  },
})
