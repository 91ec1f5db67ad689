// node bench/chain/syntheticNode.mjs --blocks 5000 --logs 20 [--tokens 50] [--accounts 5000] [--port 0] [--logTimes]
// Serves a synthetic chain and prints its address and what lies on it, as one line of JSON. SIGUSR2 prints what was asked.
import { parseArgs } from 'node:util'
import { createSyntheticChain } from './createSyntheticChain.mjs'
import { serveChain } from './serveChain.mjs'

const number = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: {
    blocks: number,
    logs: number,
    tokens: number,
    accounts: number,
    collectibles: number,
    chainId: number,
    port: number,
    finality: number,
    maxRange: number,
    logTimes: { type: 'boolean' },
  },
})
const { logTimes, ...numbers } = values
const given = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]))
const chain = createSyntheticChain({ blocks: 5_000, logs: 20, ...given, ...(logTimes && { logTimes }) })
const node = await serveChain(chain, given)
const { tokens, pictures, chainId } = chain
process.on('SIGUSR2', () => console.log(JSON.stringify(node.asked())))
console.log(JSON.stringify({ url: node.url, chainId, tokens, pictures, pid: process.pid }))
