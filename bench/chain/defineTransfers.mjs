import assert from 'node:assert/strict'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { accountOf } from './accountOf.mjs'
import { benchChain, prepareChain } from './benchChain.mjs'

const pageSize = 20

/**
 * The newest 20 transfers of an address.
 *
 * @param {Pick<import('../types.d.ts').Workload, 'name' | 'order' | 'title' | 'about'>} facts
 * @param {() => string} [more] a further part of each question
 * @returns {import('../types.d.ts').Workload}
 */
export const defineTransfers = (facts, more = () => '') => ({
  ...facts,
  competitors: ['countersign', 'countersign-uncached'],
  needsChain: true,
  wires: {
    parse: {
      prepare: prepareChain,
      request: (target, given) => {
        const owner = accountOf(given.turn % benchChain.accounts)
        const path = `${target.mount}/chain/${benchChain.chainId}/addresses/${owner}/transfers?limit=${pageSize}${more()}`
        return { method: 'GET', path, headers: parseHeaders(target, given) }
      },
      check: ({ status, body }, { turn }) => {
        assert.equal(status, 200, body)
        const { result, source, status: state } = JSON.parse(body)
        assert.deepEqual([source, state, result.length], ['index', 'SYNCED', pageSize])
        const owner = accountOf(turn % benchChain.accounts)
        for (const { from, to } of result) assert.ok(from === owner || to === owner)
      },
    },
  },
})
