import { once } from 'node:events'
import { createServer } from 'node:http'
import { balanceOf } from './accountOf.mjs'

/** @typedef {ReturnType<typeof import('./createSyntheticChain.mjs').createSyntheticChain>} SyntheticChain */
/** @typedef {import('./createSyntheticChain.mjs').SyntheticBlock} SyntheticBlock */
/** @typedef {{ id?: unknown, method: string, params?: any[] }} Call */

/**
 * A node that serves from memory, so that the indexer alone is measured. Knows what indexers ask for: chain id, blocks
 * by number, tag and hash, with whole transactions or their hashes, and logs by range or block with every filter that
 * nodes know, and for balances. Takes batches.
 *
 * @param {SyntheticChain} chain
 * @param {{ port?: number, finality?: number, maxRange?: number }} [options]
 */
export async function serveChain(
  { chainId, blocks },
  { port = 0, finality = 64, maxRange = Number.POSITIVE_INFINITY } = {},
) {
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  /** @type {Record<string, number>} */
  const calls = {}
  let requests = 0

  /** @param {unknown} tag */
  const numberOf = (tag) => {
    if (tag === 'latest' || tag === 'pending' || tag === undefined) return blocks.length - 1
    if (tag === 'finalized' || tag === 'safe') return Math.max(0, blocks.length - 1 - finality)
    return tag === 'earliest' ? 0 : Number(tag)
  }

  /** @param {SyntheticBlock | undefined} block @param {unknown} whole */
  const writeBlock = (block, whole) =>
    block ? `${block.header},"transactions":${whole ? block.transactions : block.hashes}}` : 'null'

  /** @param {any} filter */
  const listLogs = (filter) => {
    const named = filter.blockHash ? byHash.get(filter.blockHash)?.number : undefined
    const from = named ?? numberOf(filter.fromBlock)
    const to = named ?? Math.min(numberOf(filter.toBlock), blocks.length - 1)
    if (to - from >= maxRange) throw new Error(`block range is too large: up to ${maxRange} blocks`)
    const addresses = filter.address
      ? new Set([filter.address].flat().map((/** @type {string} */ each) => each.toLowerCase()))
      : undefined
    const topics = (filter.topics ?? []).map((/** @type {unknown} */ topic) =>
      topic ? new Set([topic].flat()) : undefined,
    )
    const found = []
    for (let number = from; number <= to; number++) {
      for (const log of blocks[number]?.logs ?? []) {
        if (addresses && !addresses.has(log.address)) continue
        if (
          topics.some(
            (/** @type {Set<unknown> | undefined} */ wanted, /** @type {number} */ at) =>
              wanted && !wanted.has(log.topics[at]),
          )
        )
          continue
        found.push(log.json)
      }
    }
    return `[${found.join(',')}]`
  }

  /** @type {Record<string, (params: any[]) => string>} */
  const methods = {
    eth_chainId: () => `"0x${chainId.toString(16)}"`,
    net_version: () => `"${chainId}"`,
    web3_clientVersion: () => '"synthetic/1"',
    eth_blockNumber: () => `"0x${(blocks.length - 1).toString(16)}"`,
    eth_getBlockByNumber: ([tag, whole]) => writeBlock(blocks[numberOf(tag)], whole),
    eth_getBlockByHash: ([hash, whole]) => writeBlock(byHash.get(hash), whole),
    eth_getLogs: ([filter]) => listLogs(filter),
    eth_getBalance: ([address]) => `"0x${balanceOf(address).toString(16)}"`,
  }

  /** @param {Call} call */
  const answer = ({ id = null, method, params = [] }) => {
    calls[method] = (calls[method] ?? 0) + 1
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)}`
    const run = methods[method]
    if (!run) return `${head},"error":{"code":-32601,"message":"the method ${method} does not exist"}}`
    try {
      return `${head},"result":${run(params)}}`
    } catch (error) {
      return `${head},"error":{"code":-32602,"message":${JSON.stringify(error instanceof Error ? error.message : 'failed')}}}`
    }
  }

  const server = createServer(async (request, response) => {
    requests++
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = /** @type {Call | Call[]} */ (JSON.parse(Buffer.concat(chunks).toString()))
    const text = Array.isArray(body) ? `[${body.map(answer).join(',')}]` : answer(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Requests so far. */
    asked: () => ({ requests, calls: { ...calls } }),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
