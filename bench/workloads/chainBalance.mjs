import assert from 'node:assert/strict'
import { accountOf, balanceOf } from '../chain/accountOf.mjs'
import { benchChain, prepareChain } from '../chain/benchChain.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'chainBalance',
  order: 20,
  title: 'Balance from the cache',
  about: 'The native balance of one of a hundred addresses, which was asked for since the head last moved.',
  competitors: ['countersign', 'countersign-uncached'],
  needsChain: true,
  wires: {
    parse: {
      prepare: prepareChain,
      request: (target, given) => ({
        method: 'GET',
        path: `${target.mount}/chain/${benchChain.chainId}/addresses/${accountOf(given.turn % benchChain.accounts)}/balance`,
        headers: parseHeaders(target, given),
      }),
      check: ({ status, body }, { turn }) => {
        assert.equal(status, 200, body)
        const { result, block } = JSON.parse(body)
        assert.equal(result.balance, String(balanceOf(accountOf(turn % benchChain.accounts))))
        assert.equal(block.number, benchChain.blocks - 1)
      },
    },
  },
}
