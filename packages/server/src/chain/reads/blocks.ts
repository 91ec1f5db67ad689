import { CountersignError, refuse } from '@countersign/protocol'
import type { BlockRef, Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { nonsense, readBig, readBlockRef, readHex, readNumber, toQuantity } from '../nodes/quantities.ts'

export type Log = {
  address: Hex
  topics: Hex[]
  data: Hex
  logIndex: number
  transactionIndex: number
  transactionHash: Hex
  blockNumber: number
  blockHash: Hex
}

export type Receipt = {
  /** Undefined before Byzantium, when receipts held a state root instead. */
  status: boolean | undefined
  root: Hex | undefined
  gasUsed: bigint
  cumulativeGasUsed: bigint
  effectiveGasPrice: bigint | undefined
  contractAddress: Hex | undefined
  logs: Log[]
}

export type Transaction = {
  hash: Hex
  type: number
  nonce: number
  from: Hex
  to: Hex | undefined
  value: bigint
  gas: bigint
  gasPrice: bigint
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
  input: Hex
  /** Undefined while the transaction waits for a block. */
  index: number | undefined
  block: BlockRef | undefined
  receipt: Receipt | undefined
}

export type Block = BlockRef & {
  parentHash: Hex
  nonce: Hex | undefined
  sha3Uncles: Hex
  logsBloom: Hex
  transactionsRoot: Hex
  stateRoot: Hex
  receiptsRoot: Hex
  miner: Hex
  difficulty: bigint
  totalDifficulty: bigint | undefined
  baseFeePerGas: bigint | undefined
  size: number
  extraData: Hex
  gasLimit: bigint
  gasUsed: bigint
  transactionHashes: Hex[]
}

type Raw = Record<string, unknown>

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null

function readBlock(value: unknown): Block {
  if (!isRaw(value) || !Array.isArray(value.transactions)) throw nonsense('a block')
  return {
    ...readBlockRef(value),
    parentHash: readHex(value.parentHash),
    nonce: optional(readHex, value.nonce),
    sha3Uncles: readHex(value.sha3Uncles),
    logsBloom: readHex(value.logsBloom),
    transactionsRoot: readHex(value.transactionsRoot),
    stateRoot: readHex(value.stateRoot),
    receiptsRoot: readHex(value.receiptsRoot),
    miner: readHex(value.miner),
    difficulty: optional(readBig, value.difficulty) ?? 0n,
    totalDifficulty: optional(readBig, value.totalDifficulty),
    baseFeePerGas: optional(readBig, value.baseFeePerGas),
    size: optional(readNumber, value.size) ?? 0,
    extraData: readHex(value.extraData),
    gasLimit: readBig(value.gasLimit),
    gasUsed: readBig(value.gasUsed),
    transactionHashes: value.transactions.map((each) => readHex(isRaw(each) ? each.hash : each)),
  }
}

export function readTransaction(value: unknown, block: BlockRef | undefined, receipt: unknown): Transaction {
  if (!isRaw(value)) throw nonsense('a transaction')
  return {
    hash: readHex(value.hash),
    type: optional(readNumber, value.type) ?? 0,
    nonce: readNumber(value.nonce),
    from: readHex(value.from),
    to: optional(readHex, value.to),
    value: readBig(value.value),
    gas: readBig(value.gas),
    gasPrice: optional(readBig, value.gasPrice) ?? optional(readBig, value.maxFeePerGas) ?? 0n,
    maxFeePerGas: optional(readBig, value.maxFeePerGas),
    maxPriorityFeePerGas: optional(readBig, value.maxPriorityFeePerGas),
    input: readHex(value.input ?? value.data),
    index: optional(readNumber, value.transactionIndex),
    block,
    receipt: optional(readReceipt, receipt),
  }
}

function readReceipt(value: unknown): Receipt {
  if (!isRaw(value) || !Array.isArray(value.logs)) throw nonsense('a receipt')
  const status = optional(readNumber, value.status)
  return {
    status: status === undefined ? undefined : status === 1,
    root: optional(readHex, value.root),
    gasUsed: readBig(value.gasUsed),
    cumulativeGasUsed: readBig(value.cumulativeGasUsed),
    effectiveGasPrice: optional(readBig, value.effectiveGasPrice),
    contractAddress: optional(readHex, value.contractAddress),
    logs: value.logs.map(readLog),
  }
}

export function readLog(value: unknown): Log {
  if (!isRaw(value) || !Array.isArray(value.topics)) throw nonsense('a log')
  return {
    address: readHex(value.address),
    topics: value.topics.map(readHex),
    data: readHex(value.data),
    logIndex: readNumber(value.logIndex),
    transactionIndex: readNumber(value.transactionIndex),
    transactionHash: readHex(value.transactionHash),
    blockNumber: readNumber(value.blockNumber),
    blockHash: readHex(value.blockHash),
  }
}

const optional = <T>(read: (value: unknown) => T, value: unknown): T | undefined =>
  value === undefined || value === null ? undefined : read(value)

/** Block hash of a receipt or transaction. */
export const blockHashOf = (value: unknown): Hex | undefined =>
  isRaw(value) && typeof value.blockHash === 'string' ? (value.blockHash.toLowerCase() as Hex) : undefined

export type BlockWithTransactions = Block & { transactions: Transaction[] }

/** A block by number, hash or as the head, with its transactions, receipts and logs. */
export async function getBlock(chain: Chain, wanted: number | 'latest' | Hex): Promise<BlockWithTransactions> {
  for (let tries = 0; ; tries++) {
    const found = await readOnce(chain, wanted)
    // The block was undone between two questions: another one has its number now.
    if (found) return found
    if (tries === 2)
      throw new CountersignError(
        'ConnectionFailed',
        'The chain is changing too fast to read this block. Try again in a moment.',
      )
    await chain.head({ fresh: true })
  }
}

async function readOnce(chain: Chain, wanted: number | Hex | 'latest'): Promise<BlockWithTransactions | undefined> {
  const raw = await requestBlock(chain, wanted)
  if (!raw) throw refuse('blockNotFound')
  const block = readBlock(raw)
  const transactions = (raw as { transactions: unknown[] }).transactions
  const receipts = transactions.length === 0 ? [] : await requestReceipts(chain, block)
  if (!receipts || receipts.length !== transactions.length) return undefined
  if (receipts.some((receipt) => blockHashOf(receipt) !== block.hash)) return undefined
  const { number, hash, timestamp } = block
  return {
    ...block,
    transactions: transactions.map((each, place) =>
      readTransaction(each, { number, hash, timestamp }, receipts[place]),
    ),
  }
}

async function requestBlock(chain: Chain, wanted: number | Hex | 'latest'): Promise<unknown> {
  if (typeof wanted === 'string' && wanted !== 'latest') return chain.request('eth_getBlockByHash', [wanted, true])
  const number = wanted === 'latest' ? (await chain.head()).number : wanted
  return chain.request('eth_getBlockByNumber', [toQuantity(number), true])
}

async function requestReceipts(
  chain: Chain,
  { hash, number, transactionHashes }: Block,
): Promise<unknown[] | undefined> {
  try {
    const receipts = await chain.request('eth_getBlockReceipts', [toQuantity(number)])
    if (Array.isArray(receipts) && blockHashOf(receipts[0]) === hash) return receipts
  } catch (error) {
    if (!(error instanceof NodeError) || error.kind === 'down' || error.kind === 'busy') throw error
  }
  const outcomes = await chain.batch(
    transactionHashes.map((each) => ({ method: 'eth_getTransactionReceipt', params: [each] })),
  )
  const receipts: unknown[] = []
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error
    if (!outcome.result) return undefined
    receipts.push(outcome.result)
  }
  return receipts
}

/**
 * The newest block that is not later than the time; the first block for a time before it, the head for one to come.
 * Guesses by the pace between two known blocks, and halves where the pace misleads.
 */
export async function dateToBlock(chain: Chain, date: Date): Promise<BlockRef> {
  const wanted = Math.floor(date.getTime() / 1000)
  let high = await chain.head()
  if (high.timestamp <= wanted) return high
  let low = await chain.block(0)
  if (low.timestamp > wanted) return low
  for (let turn = 0; high.number - low.number > 1; turn++) {
    const span = high.number - low.number
    const guess =
      low.number + Math.floor((span * (wanted - low.timestamp)) / Math.max(1, high.timestamp - low.timestamp))
    const middle = turn % 3 === 2 ? low.number + Math.floor(span / 2) : guess
    const probe = await chain.block(Math.min(high.number - 1, Math.max(low.number + 1, middle)))
    if (probe.timestamp <= wanted) low = probe
    else high = probe
  }
  return low
}

/**
 * About `count` blocks at even distances since a time, and the head. They stand on a grid that does not move with the
 * head, so that what was read of them once is of use again.
 */
export async function listPastBlocks(chain: Chain, { since, count }: { since: Date; count: number }) {
  const [head, first] = [(await chain.head()).number, (await dateToBlock(chain, since)).number]
  const step = 2 ** Math.max(0, Math.round(Math.log2(Math.max(1, head - first) / count)))
  const blocks: number[] = []
  for (let block = Math.ceil(first / step) * step; block < head; block += step) blocks.push(block)
  return [...blocks, head]
}
