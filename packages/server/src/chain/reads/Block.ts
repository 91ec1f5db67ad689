import type { BlockRef, Hex } from '../nodes/Chain.ts'

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
