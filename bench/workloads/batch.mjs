import assert from 'node:assert/strict'
import { newScore } from '../objects/newScore.mjs'
import { nextNumber } from '../objects/nextNumber.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { prepareObjects } from '../objects/prepareObjects.mjs'

const size = 20
const next = nextNumber(1_000_003)

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'batch',
  order: 11,
  title: 'Batch',
  about: 'Twenty objects created by one request, as a signed-in user.',
  unit: 'set',
  competitors: ['countersign', 'parse-server'],
  wires: {
    parse: {
      prepare: prepareObjects,
      request: (target, given) => ({
        method: 'POST',
        path: `${target.mount}/batch`,
        headers: parseHeaders(target, given),
        body: {
          requests: Array.from({ length: size }, () => ({
            method: 'POST',
            path: `${target.mount}/classes/Score`,
            body: newScore(given.account, next()),
          })),
        },
      }),
      check: ({ status, body }) => {
        assert.equal(status, 200, body)
        const answers = JSON.parse(body)
        assert.equal(answers.length, size)
        for (const { success } of answers) assert.match(success.objectId, /^[A-Za-z0-9]{10}$/)
      },
    },
  },
}
