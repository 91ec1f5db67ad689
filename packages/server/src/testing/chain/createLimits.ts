import type { Faults } from './Chain.ts'
import { refuse, toHex } from './createNodeMethods.ts'

type Ask = (method: string, params?: unknown[]) => Promise<unknown>
type Filter = { fromBlock?: string; toBlock?: string; blockHash?: string }

/** Index of the block parameter, by method that reads state. */
const statePlaces: Record<string, number> = { eth_call: 1, eth_getBalance: 1, eth_getCode: 1, eth_getStorageAt: 2 }

/** The limits that providers set, in the words of those that are met most. */
export function createLimits(ask: Ask, faults: Faults): Ask {
  const head = async () => Number(await ask('eth_blockNumber')) - (faults.lag ?? 0)

  const numberOf = async (tag: unknown) => {
    if (typeof tag === 'string' && tag.startsWith('0x')) return Number(tag)
    return tag === 'earliest' ? 0 : head()
  }

  const getLogs = async (filter: Filter) => {
    const [from, to] = [await numberOf(filter.fromBlock ?? 'latest'), await numberOf(filter.toBlock ?? 'latest')]
    const range = to - from + 1
    if (faults.maxRange && !filter.blockHash && range > faults.maxRange)
      throw refuse(-32000, `query exceeds max block range ${faults.maxRange}`)
    const logs = (await ask('eth_getLogs', [filter])) as unknown[]
    if (faults.maxLogs && logs.length > faults.maxLogs)
      throw refuse(-32005, `query returned more than ${faults.maxLogs} results`)
    return logs
  }

  const lagging = async (method: string, params: unknown[]) => {
    const newest = await head()
    if (method === 'eth_blockNumber') return toHex(newest)
    const pinned = params.map((value) => (value === 'latest' ? toHex(newest) : value))
    const tag = method === 'eth_getBlockByNumber' ? params[0] : params[statePlaces[method] ?? -1]
    if (typeof tag === 'string' && tag.startsWith('0x') && Number(tag) > newest) {
      if (method === 'eth_getBlockByNumber') return null
      throw refuse(-32000, 'header not found')
    }
    return ask(method, pinned)
  }

  return async (method, params = []) => {
    if (faults.missing?.includes(method)) throw refuse(-32601, `the method ${method} does not exist/is not available`)
    const place = statePlaces[method]
    if (faults.stateBlocks !== undefined && place !== undefined) {
      const number = await numberOf(params[place] ?? 'latest')
      if (number <= (await head()) - faults.stateBlocks)
        throw refuse(-32000, `missing trie node ${'ab'.repeat(32)} (path ) state 0x${'cd'.repeat(32)} is not available`)
    }
    if (method === 'eth_getLogs') return getLogs(params[0] as Filter)
    if (faults.lag) return lagging(method, params)
    return ask(method, params)
  }
}
