import type { TransactionRow } from '../../../chain/index/queries/listTransactions.ts'
import type { BlockRef } from '../../../chain/nodes/Chain.ts'
import { type Decoded, decodeCall, decodeLog } from '../../../chain/reads/abi.ts'
import type { Log, Transaction } from '../../../chain/reads/blocks.ts'
import type { InternalTransaction } from '../../../chain/reads/transactions.ts'
import { plainValue, toIso } from '../describe.ts'

const decimal = (value: bigint | number | undefined) => (value === undefined ? null : value.toString())

const placeOf = (block: BlockRef | undefined) => ({
  block_timestamp: block ? toIso(block.timestamp) : null,
  block_number: decimal(block?.number),
  block_hash: block?.hash ?? null,
})

/** The fields of a transaction that every older function has. */
function mapPlainTransaction({ receipt, block, ...transaction }: Transaction) {
  const { hash, nonce, index, from, to, value, gas, gasPrice, input } = transaction
  return {
    hash,
    nonce: decimal(nonce),
    transaction_index: decimal(index),
    from_address: from,
    to_address: to ?? null,
    value: decimal(value),
    gas: decimal(gas),
    gas_price: decimal(receipt?.effectiveGasPrice ?? gasPrice),
    input,
    receipt_cumulative_gas_used: decimal(receipt?.cumulativeGasUsed),
    receipt_gas_used: decimal(receipt?.gasUsed),
    receipt_contract_address: receipt?.contractAddress ?? null,
    receipt_root: receipt?.root ?? null,
    receipt_status: receipt?.status === undefined ? null : receipt.status ? '1' : '0',
    ...placeOf(block),
  }
}

export const mapTransaction = (transaction: Transaction) => ({
  ...mapPlainTransaction(transaction),
  logs: (transaction.receipt?.logs ?? []).map((log) => mapLog(log, transaction.block)),
})

/** With call and events in words, where they are those of a token standard. */
export async function mapVerboseTransaction(transaction: Transaction) {
  const logs = transaction.receipt?.logs ?? []
  const [call, ...events] = await Promise.all([decodeCall(transaction.input), ...logs.map((log) => decodeLog(log))])
  return {
    ...mapPlainTransaction(transaction),
    logs: logs.map((log, place) => ({
      ...mapLog(log, transaction.block),
      decoded_event: mapDecoded(events[place], 'event'),
    })),
    decoded_call: mapDecoded(call, 'function'),
  }
}

const mapDecoded = (decoded: Decoded | undefined, type: string) =>
  decoded
    ? {
        signature: decoded.signature,
        label: decoded.label,
        type,
        params: decoded.params.map((param) => ({ ...param, value: plainValue(param.value) })),
      }
    : null

export const mapTopics = (topics: readonly string[]) => ({
  topic0: topics[0] ?? null,
  topic1: topics[1] ?? null,
  topic2: topics[2] ?? null,
  topic3: topics[3] ?? null,
})

const mapLog = (log: Log, block: BlockRef | undefined) => ({
  log_index: decimal(log.logIndex),
  transaction_hash: log.transactionHash,
  transaction_index: decimal(log.transactionIndex),
  address: log.address,
  data: log.data,
  ...mapTopics(log.topics),
  ...placeOf(block),
})

/** The same of a transaction that the index keeps. */
export const mapKeptTransaction = (row: TransactionRow) => ({
  hash: row.hash,
  nonce: row.nonce,
  transaction_index: String(row.index),
  from_address: row.from,
  to_address: row.to,
  value: row.value,
  gas: row.gas,
  gas_price: row.gasPrice,
  input: row.input,
  receipt_cumulative_gas_used: row.cumulativeGasUsed,
  receipt_gas_used: row.gasUsed,
  receipt_contract_address: row.contract,
  receipt_root: null,
  receipt_status: row.status === null ? null : String(row.status),
  block_timestamp: row.time.toISOString(),
  block_number: String(row.block),
  block_hash: row.blockHash,
})

export const mapInternal = (
  { type, from, to, value, gas, gasUsed, input, output }: InternalTransaction,
  hash: string,
  block: BlockRef,
) => ({
  transaction_hash: hash,
  block_number: String(block.number),
  block_hash: block.hash,
  type,
  from,
  to: to ?? null,
  value: decimal(value),
  gas: decimal(gas),
  gas_used: decimal(gasUsed),
  input,
  output,
})
