import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { BlockRef, Chain, ChainFacts, RequestOptions, RpcCall, Settled } from './Chain.ts'
import { createAnswerCache } from './createAnswerCache.ts'
import { createBatcher } from './createBatcher.ts'
import { createDispatcher } from './createDispatcher.ts'
import { createHead } from './createHead.ts'
import { createMemory } from './createMemory.ts'
import { createMulticall } from './createMulticall.ts'
import { createNode } from './createNode.ts'
import { howLongItHolds } from './howLongItHolds.ts'
import { NodeError } from './NodeError.ts'
import { readBlockRef, toQuantity } from './quantities.ts'
import { describeNodeError } from './readRpcError.ts'

export type ChainParts = ChainFacts & {
  /** Blocks below the head that are final where the node does not say. */
  usualFinality: number
  urls: readonly string[]
  log: Logger
}

/** One node knows the head, and another that was asked does not yet: it needs a moment, and the block is there. */
const isBehind = (error: unknown, params: readonly unknown[], head: BlockRef | undefined) =>
  error instanceof NodeError &&
  error.kind === 'unknownBlock' &&
  head !== undefined &&
  params.includes(toQuantity(head.number))

/** A chain, its nodes and what is remembered of their answers. */
export function createChain({ urls, log, usualFinality, ...facts }: ChainParts): Chain {
  const { id, settings } = facts
  const nodes = urls.map((url) => createNode({ id, url, settings, log }))
  const cache = createAnswerCache()
  const underWay = new Map<string, Promise<Settled>>()
  const { ask } = createBatcher(createDispatcher(nodes), { size: settings.batchSize, timeout: settings.timeout })
  const head = createHead({
    ask: (calls) => Promise.all(calls.map((call) => ask(call))),
    settings,
    usualFinality,
    onMove: cache.dropHead,
    onRestart: cache.dropAll,
  })

  const settle = async (call: RpcCall, { keep, timeout, signal }: RequestOptions = {}): Promise<Settled> => {
    signal?.throwIfAborted()
    const key = keep === 'none' ? '' : `${call.method}${JSON.stringify(call.params)}`
    if (key) {
      const kept = cache.find(key)
      if (kept) return kept
      const same = underWay.get(key)
      if (same) return same
    }
    const since = head.known()?.hash
    const asked = ask(call, timeout).then((outcome) => {
      if (!key || 'error' in outcome) return outcome
      const how = keep ?? howLongItHolds(call.method, call.params, outcome.result, head.knownFinalized())
      // The head may have moved meanwhile; nobody knows then which of the two the answer belongs to.
      if (how === 'final' || (how === 'head' && since !== undefined && since === head.known()?.hash))
        cache.keep(key, outcome.result, how)
      return outcome
    })
    if (!key) return asked
    underWay.set(key, asked)
    return asked.finally(() => underWay.delete(key))
  }

  const request = async (method: string, params: readonly unknown[] = [], options?: RequestOptions) => {
    for (let tries = 0; ; tries++) {
      const outcome = await settle({ method, params }, options)
      if ('result' in outcome) return outcome.result
      if (!isBehind(outcome.error, params, head.known())) throw outcome.error
      if (tries === 3) throw describeNodeError('busy', { method })
      await delay(250)
    }
  }

  const block = async (number: number | 'latest'): Promise<BlockRef> => {
    if (number === 'latest') return head.get()
    const known = head.known()
    if (known?.number === number) return known
    const found = await request('eth_getBlockByNumber', [toQuantity(number), false])
    if (!found) throw describeNodeError('unknownBlock')
    return readBlockRef(found)
  }

  return {
    ...facts,
    request,
    batch: (calls, options) => Promise.all(calls.map((call) => settle(call, options))),
    multicall: createMulticall({ contract: facts.contracts.multicall, request, head: head.get }),
    head: head.get,
    finalized: async () => {
      await head.get()
      return head.knownFinalized() ?? 0
    },
    block,
    remember: createMemory(cache, head),
    nodes: () => nodes.map((node) => node.state()),
  }
}
