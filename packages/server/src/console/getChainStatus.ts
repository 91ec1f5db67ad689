import type { ChainStatusRecord } from '@countersign/protocol'
import { type IndexStatus, listIndexStatus } from '../chain/index/listIndexStatus.ts'
import type { Chain } from '../chain/nodes/Chain.ts'
import { getChains } from '../chain/nodes/getChains.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

/** Time (ms) for nodes to return the head; the rest is shown without it. */
const patience = 3_000

/**
 * Chains with their nodes and how far each is read. Public nodes, which are strangers, are not asked for this: of their
 * chains those are shown that something else asked for.
 */
async function getChainStatus(context: Context): Promise<{ results: ChainStatusRecord[] }> {
  const indexes = new Map((await listIndexStatus(context)).map((status) => [status.chain, status]))
  const configured = new Set(context.config.chains.map(({ id }) => id))
  const chains = getChains(context)
    .all()
    .filter(
      (chain) =>
        configured.has(chain.id) || indexes.has(chain.id) || chain.nodes().some(({ requests }) => requests > 0),
    )
  const results = await Promise.all(
    chains.map(async (chain) => ({
      chain: chain.id,
      name: chain.name,
      ...(configured.has(chain.id) ? await findHead(chain) : {}),
      nodes: chain.nodes().map(({ latency, lastError, ...node }) => ({
        ...node,
        ...(latency !== undefined && { latency }),
        ...(lastError !== undefined && { lastError: lastError.slice(0, 300) }),
      })),
      ...describeIndex(indexes.get(chain.id)),
    })),
  )
  // A chain removed from the configuration still shows its index.
  const without = [...indexes.values()].filter(({ chain }) => !results.some((each) => each.chain === chain))
  return {
    results: [
      ...results,
      ...without.map((status) => ({
        chain: status.chain,
        name: String(status.chain),
        nodes: [],
        ...describeIndex(status),
      })),
    ],
  }
}

async function findHead(chain: Chain): Promise<Pick<ChainStatusRecord, 'head' | 'headError'>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${patience} ms`)), patience)
  })
  try {
    const { number, timestamp } = await Promise.race([chain.head(), late])
    return { head: { number, at: new Date(timestamp * 1000).toISOString() } }
  } catch (error) {
    return { headError: String((error as Error).message).slice(0, 300) }
  } finally {
    clearTimeout(timer)
  }
}

function describeIndex(status: IndexStatus | undefined): Pick<ChainStatusRecord, 'index'> {
  if (!status) return {}
  const { block, blockTime, finalized, progress, blocksLeft, blocksPerSecond, secondsLeft, error } = status
  return {
    index: {
      block,
      blockTime: blockTime.toISOString(),
      finalized,
      status: status.status,
      progress,
      blocksLeft,
      blocksPerSecond,
      ...(secondsLeft !== undefined && { secondsLeft }),
      contracts: Number(status.contracts),
      addresses: Number(status.addresses),
      ...(error !== undefined && { error: error.slice(0, 300) }),
      running: status.running,
    },
  }
}

export const getChainStatusEndpoint = defineEndpoint('getChainStatus', {
  handle: ({ context }) => getChainStatus(context),
})
