import type { LogRecord, TransactionRecord } from '@countersign/protocol'
import type { BlockRef } from '../../chain/nodes/Chain.ts'
import type { Log, Transaction } from '../../chain/reads/Block.ts'
import { decodeCall } from '../../chain/reads/decodeCall.ts'
import { type Decoded, decodeLog } from '../../chain/reads/decodeLog.ts'
import { describeBlockRef } from './describeBlockRef.ts'
import { describeDecoded } from './describeDecoded.ts'

/** A transaction without its block and logs, as a list has it. */
export function describePlainTransaction(transaction: Transaction): Omit<TransactionRecord, 'block'> {
  const { hash, from, to, value, nonce, gas, gasPrice, input, index, receipt } = transaction
  return {
    hash,
    from,
    ...(to && { to }),
    value: value.toString(),
    nonce,
    gas: gas.toString(),
    gasPrice: (receipt?.effectiveGasPrice ?? gasPrice).toString(),
    input,
    ...(index !== undefined && { index }),
    ...(receipt && {
      ...(receipt.status !== undefined && { status: receipt.status ? ('success' as const) : ('failed' as const) }),
      gasUsed: receipt.gasUsed.toString(),
      cumulativeGasUsed: receipt.cumulativeGasUsed.toString(),
      ...(receipt.contractAddress && { contract: receipt.contractAddress }),
    }),
  }
}

/** A transaction with its logs, its call and events in words where they are known. */
export async function describeTransaction(transaction: Transaction): Promise<TransactionRecord> {
  const { block, receipt, input } = transaction
  const call = await decodeCall(input)
  return {
    ...describePlainTransaction(transaction),
    ...(block && { block: describeBlockRef(block) }),
    ...(call && { call: describeDecoded(call) }),
    ...(receipt && {
      logs: await Promise.all(receipt.logs.map(async (log) => describePlainLog(log, await decodeLog(log)))),
    }),
  }
}

function describePlainLog(
  { address, topics, data, logIndex, transactionHash, transactionIndex }: Log,
  decoded?: Decoded,
): Omit<LogRecord, 'block'> {
  return {
    address,
    topics,
    data,
    logIndex,
    transaction: transactionHash,
    transactionIndex,
    ...(decoded && { decoded: describeDecoded(decoded) }),
  }
}

export const describeLog = ({ block, ...log }: Log & { block: BlockRef }, decoded?: Decoded): LogRecord => ({
  ...describePlainLog(log, decoded),
  block: describeBlockRef(block),
})
