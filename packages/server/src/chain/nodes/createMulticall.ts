import { decodeAggregate, encodeAggregate } from './aggregate.ts'
import type { BlockRef, BlockTag, CallResult, Chain, ContractCall } from './Chain.ts'
import { NodeError } from './NodeError.ts'
import { readHex, toQuantity } from './quantities.ts'

type Parts = { contract: string | undefined; request: Chain['request']; head: () => Promise<BlockRef> }

/** Calls of one chunk: few enough for the gas that nodes give a call. */
const mostCalls = 300

/** Several reads at one block. A chunk that is too much for the node is halved; without Multicall3 they go one by one. */
export function createMulticall({ contract, request, head }: Parts): Chain['multicall'] {
  let missingSince = Number.NEGATIVE_INFINITY

  const callOne = async ({ to, data }: ContractCall, tag: string): Promise<CallResult> => {
    try {
      return { success: true, data: readHex(await request('eth_call', [{ to, data }, tag])) }
    } catch (error) {
      if (error instanceof NodeError && error.kind === 'revert') return { success: false, data: error.data }
      throw error
    }
  }

  const callEach = (calls: readonly ContractCall[], tag: string) => Promise.all(calls.map((call) => callOne(call, tag)))

  const aggregate = async (
    to: string,
    calls: readonly ContractCall[],
    tag: string,
    atHead: boolean,
  ): Promise<CallResult[]> => {
    if (calls.length === 1) return callEach(calls, tag)
    let answer: string
    try {
      answer = readHex(await request('eth_call', [{ to, data: encodeAggregate(calls) }, tag]))
    } catch (error) {
      const tooMuch = error instanceof NodeError && (error.kind === 'revert' || error.kind === 'other')
      if (!tooMuch) throw error
      const half = calls.length >> 1
      const parts = [calls.slice(0, half), calls.slice(half)]
      return (await Promise.all(parts.map((part) => aggregate(to, part, tag, atHead)))).flat()
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
    const chunks: ContractCall[][] = []
    for (let from = 0; from < calls.length; from += mostCalls) chunks.push(calls.slice(from, from + mostCalls))
    return (await Promise.all(chunks.map((chunk) => aggregate(contract, chunk, tag, number >= newest)))).flat()
  }
}
