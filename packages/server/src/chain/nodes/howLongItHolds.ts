type Keep = 'final' | 'head' | 'none'

/** At which place of the parameters a method names its block. */
const blockPlaces: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}

const foundByHash = new Set(['eth_getBlockByHash', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'])

/**
 * How long an answer holds. What lies in a final block never changes; what lies above may, with every new head. A hash
 * tells which block is meant, yet not that it is still part of the chain.
 */
export function howLongItHolds(
  method: string,
  params: readonly unknown[],
  result: unknown,
  finalized: number | undefined,
): Keep {
  const upTo = (number: unknown): Keep => {
    if (typeof number !== 'string' || !/^0x[0-9a-f]+$/i.test(number)) return 'head'
    return finalized !== undefined && number.length < 20 && Number(number) <= finalized ? 'final' : 'head'
  }
  if (method === 'eth_chainId') return 'final'
  if (foundByHash.has(method)) {
    if (result === null || result === undefined) return 'none'
    const { blockNumber, number } = result as { blockNumber?: unknown; number?: unknown }
    return upTo(blockNumber ?? number)
  }
  if (method === 'eth_getLogs') {
    const filter = params[0] as { toBlock?: unknown; blockHash?: unknown } | undefined
    return filter?.blockHash ? 'head' : upTo(filter?.toBlock)
  }
  const place = blockPlaces[method]
  if (place === undefined || params[place] === 'pending' || result === null || result === undefined) return 'none'
  const named = params[place]
  if (method === 'eth_getBlockReceipts' && typeof named === 'string' && named.length === 66)
    return upTo((result as { blockNumber?: unknown }[])[0]?.blockNumber)
  return upTo(named)
}
