import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type {
  BlockRef,
  BlockTag,
  CallResult,
  Chain,
  ChainFacts,
  ChainKnowledge,
  ContractCall,
  Hex,
  Made,
  Payer,
  RequestOptions,
  RpcCall,
  Settled,
} from './Chain.ts'
import { type AnswerCache, createAnswerCache } from './createAnswerCache.ts'
import { createBatcher, createDispatcher } from './createDispatcher.ts'
import { createHead, type Head } from './createHead.ts'
import { createNode } from './createNode.ts'
import { describeNodeError, NodeError } from './NodeError.ts'
import { readBlockRef, readHex, toQuantity } from './quantities.ts'

const selector = '82ad56cb'

const one = word(1)

const offsetOfBytes = word(0x60)

/** The call `aggregate3((address,bool,bytes)[])` of Multicall3, each part allowed to fail. By hand: it is the hot path. */
export function encodeAggregate(calls: readonly ContractCall[]): Hex {
  let offsets = ''
  let bodies = ''
  for (const { to, data } of calls) {
    offsets += word(calls.length * 32 + bodies.length / 2)
    const length = (data.length - 2) / 2
    bodies += `${to.slice(2).toLowerCase().padStart(64, '0')}${one}${offsetOfBytes}${word(length)}${pad(data.slice(2))}`
  }
  return `0x${selector}${word(0x20)}${word(calls.length)}${offsets}${bodies}`
}

/** Decodes the results, or returns undefined if they do not fit the number of calls. */
export function decodeAggregate(answer: string, count: number): CallResult[] | undefined {
  const read = (at: number) => Number.parseInt(answer.slice(2 + at * 2, 2 + at * 2 + 64), 16)
  const start = read(0) + 32
  if (read(start - 32) !== count) return undefined
  const results: CallResult[] = []
  for (let place = 0; place < count; place++) {
    const at = start + read(start + place * 32)
    const bytes = at + read(at + 32)
    const from = 2 + (bytes + 32) * 2
    const data = answer.slice(from, from + read(bytes) * 2)
    if (data.length !== read(bytes) * 2) return undefined
    results.push({ success: read(at) === 1, data: `0x${data}` })
  }
  return results
}

function word(number: number): string {
  return number.toString(16).padStart(64, '0')
}

const pad = (bytes: string) => bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')

type Asking = { request: Chain['request']; payer: Payer | undefined }

/** Calls of one chunk: few enough for the gas that nodes give a call. */
const mostCalls = 300

/** Chunks that are halved for one question of a caller: enough to single out a handful of contracts. */
const mostHalved = 64

/** Time (ms) for which a call that failed its chunk is reported as failed without another request. */
const heavyFor = 600_000

const mostHeavy = 20_000

/**
 * Several reads at one block. A chunk that is too much for the node is halved; without Multicall3 they go one by one. A
 * stranger's contract may burn all gas of its chunk: for a caller, halving has a bound, and calls that were singled out
 * are remembered, so that the next question needs no halving for them.
 */
function createMulticall(contract: string | undefined, head: () => Promise<BlockRef>) {
  let missingSince = Number.NEGATIVE_INFINITY
  const heavy = new Map<string, number>()

  const keyOf = ({ to, data }: ContractCall) => `${to}${data}`.toLowerCase()

  const noteHeavy = (call: ContractCall) => {
    heavy.set(keyOf(call), performance.now())
    for (const oldest of heavy.keys()) {
      if (heavy.size <= mostHeavy) break
      heavy.delete(oldest)
    }
  }

  const callOne = async (request: Chain['request'], { to, data }: ContractCall, tag: string): Promise<CallResult> => {
    try {
      return { success: true, data: readHex(await request('eth_call', [{ to, data }, tag])) }
    } catch (error) {
      if (error instanceof NodeError && error.kind === 'revert') return { success: false, data: error.data }
      throw error
    }
  }

  return ({ request, payer }: Asking): Chain['multicall'] => {
    const callEach = (calls: readonly ContractCall[], tag: string) =>
      Promise.all(calls.map((call) => callOne(request, call, tag)))

    type Chunk = { to: string; calls: readonly ContractCall[]; tag: string; atHead: boolean; budget: { left: number } }

    const aggregate = async (chunk: Chunk, isHalf = false): Promise<CallResult[]> => {
      const { to, calls, tag, atHead, budget } = chunk
      const [only] = calls
      if (calls.length === 1 && only) {
        const result = await callOne(request, only, tag).catch((error): CallResult => {
          // A single call: the node's error is about this contract alone.
          if (!payer || !isHalf || !(error instanceof NodeError) || error.kind !== 'other') throw error
          return { success: false, data: '0x' }
        })
        if (isHalf && !result.success) noteHeavy(only)
        return [result]
      }
      let answer: string
      try {
        answer = readHex(await request('eth_call', [{ to, data: encodeAggregate(calls) }, tag]))
      } catch (error) {
        const tooMuch = error instanceof NodeError && (error.kind === 'revert' || error.kind === 'other')
        if (!tooMuch) throw error
        if (budget.left-- <= 0) throw describeNodeError('tooMuch', { method: 'eth_call' })
        const half = calls.length >> 1
        const results: CallResult[] = []
        // One after the other: the limit is known before more is requested.
        for (const part of [calls.slice(0, half), calls.slice(half)]) {
          results.push(...(await aggregate({ ...chunk, calls: part }, true)))
        }
        return results
      }
      const results = decodeAggregate(answer, calls.length)
      if (results) return results
      // Nothing there at that block. What is so at the head is so for a while.
      if (atHead) missingSince = performance.now()
      return callEach(calls, tag)
    }

    return async (calls, block: BlockTag = 'latest') => {
      if (calls.length === 0) return []
      const newest = (await head()).number
      const number = block === 'latest' ? newest : block
      const tag = toQuantity(number)
      if (!contract || performance.now() - missingSince < 600_000) return callEach(calls, tag)
      const isHeavy = (call: ContractCall) =>
        payer !== undefined && performance.now() - (heavy.get(keyOf(call)) ?? Number.NEGATIVE_INFINITY) < heavyFor
      const asked = calls.filter((call) => !isHeavy(call))
      const budget = { left: payer ? mostHalved : Number.POSITIVE_INFINITY }
      const chunks: ContractCall[][] = []
      for (let from = 0; from < asked.length; from += mostCalls) chunks.push(asked.slice(from, from + mostCalls))
      const parts = chunks.map((chunk) =>
        aggregate({ to: contract, calls: chunk, tag, atHead: number >= newest, budget }),
      )
      const results = new Map((await Promise.all(parts)).flat().map((result, place) => [asked[place], result]))
      return calls.map((call): CallResult => results.get(call) ?? { success: false, data: '0x' })
    }
  }
}

/** Index of the block parameter, by method. */
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

export type ChainParts = ChainFacts & {
  /** Default number of blocks below the head that count as finalized. */
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

/** A chain, its nodes and their cached responses. */
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

  const settle = async (
    call: RpcCall,
    { keep, timeout, signal }: RequestOptions = {},
    payer?: Payer,
  ): Promise<Settled> => {
    signal?.throwIfAborted()
    const key = keep === 'none' ? '' : `${call.method}${JSON.stringify(call.params)}`
    const find = () => (key ? (cache.find(key) ?? underWay.get(key)) : undefined)
    const known = find()
    if (known) return known
    if (payer) {
      await payer.charge(1)
      const meanwhile = find()
      if (meanwhile) return meanwhile
    }
    const since = head.known()?.hash
    const asked = ask(call, timeout, payer?.key).then((outcome) => {
      if (!key || 'error' in outcome) return outcome
      const how = keep ?? getCacheLifetime(call.method, call.params, outcome.result, head.knownFinalized())
      // The head may have moved; the result could belong to either block.
      if (how === 'final' || (how === 'head' && since !== undefined && since === head.known()?.hash))
        cache.keep(key, outcome.result, how)
      return outcome
    })
    if (!key) return asked
    underWay.set(key, asked)
    return asked.finally(() => underWay.delete(key))
  }

  const multicall = createMulticall(facts.contracts.multicall, head.get)
  const remember = createMemo(cache, head)
  const known: ChainKnowledge = { logRange: Number.POSITIVE_INFINITY, tokens: new Map(), savedTokens: new Set() }

  const askedBy = (payer: Payer | undefined): Chain => {
    const request = async (method: string, params: readonly unknown[] = [], options?: RequestOptions) => {
      for (let tries = 0; ; tries++) {
        const outcome = await settle({ method, params }, options, payer)
        if ('result' in outcome) return outcome.result
        if (!isBehind(outcome.error, params, head.known())) throw outcome.error
        if (tries === 3) throw describeNodeError('busy', { method })
        await delay(250)
      }
    }

    const block = async (number: number | 'latest'): Promise<BlockRef> => {
      if (number === 'latest') return head.get()
      const newest = head.known()
      if (newest?.number === number) return newest
      const found = await request('eth_getBlockByNumber', [toQuantity(number), false])
      if (!found) throw describeNodeError('unknownBlock')
      return readBlockRef(found)
    }

    return {
      ...facts,
      paidBy: askedBy,
      request,
      batch: (calls, options) => Promise.all(calls.map((call) => settle(call, options, payer))),
      multicall: multicall({ request, payer }),
      head: head.get,
      finalized: async () => {
        await head.get()
        return head.knownFinalized() ?? 0
      },
      block,
      remember,
      known,
      nodes: () => nodes.map((node) => node.state()),
    }
  }
  return askedBy(undefined)
}

/** Caches values computed from responses, beside the responses themselves. Concurrent callers share one computation. */
function createMemo(cache: AnswerCache, head: Head): Chain['remember'] {
  const underWay = new Map<string, Promise<unknown>>()

  const work = async <T>(place: string, make: () => Promise<Made<T>>): Promise<T> => {
    const since = head.known()?.hash
    const { value, final = false, size } = await make()
    const bytes = size ?? (typeof value === 'string' ? value.length : 1_000)
    if (final || since === head.known()?.hash) cache.keep(place, value, final ? 'final' : 'head', bytes)
    return value
  }

  return async <T>(key: string, make: () => Promise<Made<T>>) => {
    await head.get()
    const place = `made ${key}`
    const kept = cache.find(place)
    if (kept) return { value: kept.result as T, source: 'cache' }
    const same = underWay.get(place) as Promise<T> | undefined
    if (same) return { value: await same, source: 'node' }
    const made = work(place, make).finally(() => underWay.delete(place))
    underWay.set(place, made)
    return { value: await made, source: 'node' }
  }
}

type Keep = 'final' | 'head' | 'none'

/**
 * Cache lifetime of a result. A finalized block never changes; later ones may, with every new head. A hash identifies a
 * block, but does not prove that it is still part of the chain.
 */
function getCacheLifetime(
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
