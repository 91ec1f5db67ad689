import type { BlockRef, Hex } from '../nodes/Chain.ts'
import { nonsense, readBig, readBlockRef, readHex, readNumber } from '../nodes/quantities.ts'
import type { Block, Log, Receipt, Transaction } from './Block.ts'

type Raw = Record<string, unknown>

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null

export function readBlock(value: unknown): Block {
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

/** The hash of the block that a receipt or transaction lies in. */
export const blockHashOf = (value: unknown): Hex | undefined =>
  isRaw(value) && typeof value.blockHash === 'string' ? (value.blockHash.toLowerCase() as Hex) : undefined
