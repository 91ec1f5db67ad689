import { createServer } from 'node:http'
import { createSyntheticChain } from '../../../bench/chain/createSyntheticChain.mjs'
import { serveChain } from '../../../bench/chain/serveChain.mjs'

/** @typedef {'honest' | 'hanging' | 'nonsense' | 'lying' | 'down'} Mood */

/**
 * A chain node that can hang, send nonsense, lie (another chain, a head far ahead, wrong balances) or refuse
 * connections.
 */
export async function startFaultyNode() {
  const chain = createSyntheticChain({ blocks: 100, logs: 1, tokens: 2, accounts: 10 })
  const honest = await serveChain(chain)
  /** @type {Mood} */
  let mood = 'honest'
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (mood === 'hanging') return
    if (mood === 'down') return void request.socket.destroy()
    response.setHeader('Content-Type', 'application/json')
    if (mood === 'nonsense') return void response.end('{"jsonrpc":"2.0","id":"x","result":[[[{"a":')
    if (mood === 'lying') return void response.end(lie(JSON.parse(body.toString())))
    const answer = await fetch(honest.url, { method: 'POST', body })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    chainId: chain.chainId,
    /** @param {Mood} wanted */
    setMood(wanted) {
      mood = wanted
      if (mood !== 'hanging') server.closeAllConnections()
    },
    stop() {
      server.closeAllConnections()
      server.close()
      honest.stop()
    },
  }
}

/** @param {any} asked */
function lie(asked) {
  const one = (/** @type {any} */ { id, method }) => ({
    jsonrpc: '2.0',
    id,
    result: method === 'eth_chainId' ? '0x7a69' : `0x${'f'.repeat(method === 'eth_getBalance' ? 64 : 12)}`,
  })
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}
