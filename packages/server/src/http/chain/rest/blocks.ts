import type { BlockRecord, InternalTransactionRecord } from '@countersign/protocol'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { type BlockWithTransactions, dateToBlock, getBlock } from '../../../chain/reads/blocks.ts'
import { getInternalTransactions, getTransaction, type InternalTransaction } from '../../../chain/reads/transactions.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { answerFromNode } from '../answers.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describeBlockRef, describePlainTransaction, describeTransaction } from '../describe.ts'

export const blockEndpoints: Endpoint[] = [
  defineChainRead('getBlock', {
    read: ({ chain, key }, { block: wanted }) =>
      answerFromNode(chain, key, async () => {
        const block = await getBlock(chain, wanted === 'finalized' ? await chain.finalized() : wanted)
        const final = typeof wanted === 'number' && (await isFinal(chain, block.number))
        return { block, final, result: describeBlock(block) }
      }),
  }),
  defineChainRead('getBlockByDate', {
    read: ({ chain, key }, { date: wanted }) =>
      answerFromNode(chain, key, async () => {
        const block = await dateToBlock(chain, wanted)
        return { block, result: describeBlockRef(block) }
      }),
  }),
  defineChainRead('getTransaction', {
    read: ({ chain, key }, { hash: wanted }) =>
      answerFromNode(chain, key, async () => {
        const transaction = await getTransaction(chain, wanted)
        const final = transaction.block !== undefined && (await isFinal(chain, transaction.block.number))
        return {
          block: transaction.block ?? (await chain.head()),
          final,
          result: await describeTransaction(transaction),
        }
      }),
  }),
  defineChainRead('listInternalTransactions', {
    cost: 10,
    read: ({ chain, key }, { hash: wanted }) =>
      answerFromNode(chain, key, async () => {
        const { transactions, block } = await getInternalTransactions(chain, wanted)
        return { block, final: await isFinal(chain, block.number), result: transactions.map(describeInternal) }
      }),
  }),
]

const isFinal = async (chain: Chain, number: number) => number <= (await chain.finalized())

function describeBlock(block: BlockWithTransactions): BlockRecord {
  return {
    ...describeBlockRef(block),
    parentHash: block.parentHash,
    miner: block.miner,
    gasLimit: block.gasLimit.toString(),
    gasUsed: block.gasUsed.toString(),
    ...(block.baseFeePerGas !== undefined && { baseFeePerGas: block.baseFeePerGas.toString() }),
    size: block.size,
    extraData: block.extraData,
    transactionCount: block.transactions.length,
    transactions: block.transactions.map(describePlainTransaction),
  }
}

function describeInternal(transaction: InternalTransaction): InternalTransactionRecord {
  const { to, value, gas, gasUsed, error, ...rest } = transaction
  return {
    ...rest,
    ...(to && { to: to as Hex }),
    value: value.toString(),
    gas: gas.toString(),
    gasUsed: gasUsed.toString(),
    ...(error && { error }),
  }
}
