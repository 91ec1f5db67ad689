import { CountersignError } from '@countersign/protocol'
import type { BlockRef, Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { nonsense, readBig, readBlockRef, readHex } from '../nodes/quantities.ts'
import { blockHashOf, readTransaction, type Transaction } from './blocks.ts'

/** A transaction with its receipt and logs. One that waits for a block has neither, and no block. */
export async function getTransaction(chain: Chain, hash: Hex): Promise<Transaction> {
  // A reorg clears the cache only when the head moves.
  await chain.head()
  const [found, receipt] = await Promise.all([
    chain.request('eth_getTransactionByHash', [hash]),
    chain.request('eth_getTransactionReceipt', [hash]),
  ])
  if (!found) throw new CountersignError('ObjectNotFound', 'Transaction not found on this chain.')
  const inBlock = blockHashOf(receipt)
  if (!inBlock) return readTransaction(found, undefined, undefined)
  const block = await chain.request('eth_getBlockByHash', [inBlock, false])
  if (!block) return readTransaction(found, undefined, undefined)
  return readTransaction(found, readBlockRef(block), receipt)
}

export type InternalTransaction = {
  /** CALL, DELEGATECALL, STATICCALL, CREATE, CREATE2, SELFDESTRUCT … */
  type: string
  from: Hex
  to: Hex | undefined
  value: bigint
  gas: bigint
  gasUsed: bigint
  input: Hex
  output: Hex
  /** Why it came to nothing; its value did not move then. */
  error: string | undefined
  /** 1 for what the transaction's own call did, 2 for what that did … */
  depth: number
}

/** Lists internal calls of a transaction. Needs a node with traces. */
export async function getInternalTransactions(
  chain: Chain,
  hash: Hex,
): Promise<{ transactions: InternalTransaction[]; block: BlockRef }> {
  const { block } = await getTransaction(chain, hash)
  if (!block) throw new CountersignError('ObjectNotFound', 'The transaction is not in a block yet.')
  const keep = block.number <= (await chain.finalized()) ? 'final' : 'head'
  try {
    const trace = await chain.request('debug_traceTransaction', [hash, { tracer: 'callTracer' }], { keep })
    return { transactions: flatten(trace), block }
  } catch (error) {
    if (!lacksTraces(error)) throw error
  }
  try {
    const traces = await chain.request('trace_transaction', [hash], { keep })
    return { transactions: readParity(traces), block }
  } catch (error) {
    if (!lacksTraces(error)) throw error
    throw new NodeError('missingMethod', {
      message: 'Internal transactions are not available: no configured node of this chain supports traces.',
      details:
        'Add a node that supports debug_traceTransaction or trace_transaction; see "chains" in docs/configuration.md.',
    })
  }
}

const lacksTraces = (error: unknown) =>
  error instanceof NodeError && ['missingMethod', 'other', 'nonsense'].includes(error.kind)

type Call = Record<string, unknown>

function readCall(call: unknown): Call {
  if (typeof call !== 'object' || call === null) throw nonsense('a trace')
  return call as Call
}

function flatten(trace: unknown): InternalTransaction[] {
  const found: InternalTransaction[] = []
  const visit = (calls: unknown, depth: number) => {
    if (calls === undefined) return
    if (!Array.isArray(calls)) throw nonsense('a trace')
    for (const call of calls.map(readCall)) {
      found.push({
        type: String(call.type),
        from: readHex(call.from),
        to: call.to === undefined ? undefined : readHex(call.to),
        value: readBig(call.value ?? '0x0'),
        gas: readBig(call.gas ?? '0x0'),
        gasUsed: readBig(call.gasUsed ?? '0x0'),
        input: readHex(call.input ?? '0x'),
        output: readHex(call.output ?? '0x'),
        error: call.error === undefined ? undefined : String(call.error).slice(0, 200),
        depth,
      })
      visit(call.calls, depth + 1)
    }
  }
  visit(readCall(trace).calls, 1)
  return found
}

/** The form of Erigon, Nethermind and Reth: a flat list, the place of each in the tree beside it. */
function readParity(traces: unknown): InternalTransaction[] {
  if (!Array.isArray(traces)) throw nonsense('a trace')
  return traces.map(readCall).flatMap((trace): InternalTransaction[] => {
    const depth = Array.isArray(trace.traceAddress) ? trace.traceAddress.length : 0
    if (depth === 0) return []
    const action = (trace.action ?? {}) as Call
    const result = (trace.result ?? {}) as Call
    const to = action.to ?? result.address ?? action.refundAddress
    return [
      {
        type: String(action.callType ?? action.creationMethod ?? trace.type).toUpperCase(),
        from: readHex(action.from ?? action.address),
        to: to === undefined || to === null ? undefined : readHex(to),
        value: readBig(action.value ?? action.balance ?? '0x0'),
        gas: readBig(action.gas ?? '0x0'),
        gasUsed: readBig(result.gasUsed ?? '0x0'),
        input: readHex(action.input ?? action.init ?? '0x'),
        output: readHex(result.output ?? result.code ?? '0x'),
        error: trace.error === undefined ? undefined : String(trace.error).slice(0, 200),
        depth,
      },
    ]
  })
}
