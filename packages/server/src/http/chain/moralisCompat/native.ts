import { CountersignError } from '@countersign/protocol'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { readHex, toQuantity } from '../../../chain/nodes/quantities.ts'
import { decodeLog, readAbi } from '../../../chain/reads/abi.ts'
import { type BlockWithTransactions, dateToBlock, getBlock } from '../../../chain/reads/blocks.ts'
import { callContract } from '../../../chain/reads/callContract.ts'
import { chooseEvent } from '../../../chain/reads/getLogs.ts'
import { getInternalTransactions, getTransaction } from '../../../chain/reads/transactions.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { plainValue, toIso } from '../describe.ts'
import { listLogPage } from '../listLogPage.ts'
import { readRange } from '../ranges.ts'
import { defineCompatFunction } from './defineCompatFunction.ts'
import { rangeFrom, toCompatPage } from './map.ts'
import { mapInternal, mapTopics, mapTransaction, mapVerboseTransaction } from './mapTransaction.ts'

/** Additional cost of traces. */
const traceCost = ({ include: more }: { include?: string | undefined }) => (more ? 9 : 0)

export const nativeFunctions: Endpoint[] = [
  defineCompatFunction('getBlock', {
    extraCost: traceCost,
    holds: true,
    async run({ chain }, { block_number_or_hash: wanted, include: more }) {
      const block = await getBlock(chain, wanted === 'finalized' ? await chain.finalized() : wanted)
      if (!more) return mapBlock(block)
      if (block.transactions.length > 50)
        throw new CountersignError('InvalidQuery', 'The block has too many transactions to trace in one request.')
      return mapBlock(block, await Promise.all(block.transactions.map((each) => traceOf(chain, each.hash))))
    },
  }),
  defineCompatFunction('getDateToBlock', {
    holds: true,
    async run({ chain }, { date: wanted }) {
      const { number, hash: found, timestamp } = await dateToBlock(chain, wanted)
      const whole = (await chain.request('eth_getBlockByNumber', [toQuantity(number), false])) as {
        parentHash?: unknown
      }
      return {
        date: wanted.toISOString(),
        block: number,
        timestamp,
        block_timestamp: toIso(timestamp),
        hash: found,
        parent_hash: readHex(whole?.parentHash),
      }
    },
  }),
  defineCompatFunction('getLogsByAddress', {
    cost: 10,
    holds: true,
    async run({ chain }, { address: contract, block_number, topic0, topic1, topic2, topic3, ...input }) {
      const at = block_number === undefined ? await readRange(chain, rangeFrom(input)) : rangeAt(block_number)
      const { limit, cursor, offset } = input
      const wanted = trim([topic0, topic1, topic2, topic3])
      const found = await listLogPage(chain, { ...at, limit, cursor, offset, address: contract, topics: wanted })
      return toCompatPage(found, input, (log) => ({
        transaction_hash: log.transactionHash,
        address: log.address,
        block_timestamp: toIso(log.block.timestamp),
        block_number: String(log.blockNumber),
        block_hash: log.blockHash,
        data: log.data,
        ...mapTopics(log.topics),
        transaction_index: log.transactionIndex,
        log_index: log.logIndex,
      }))
    },
  }),
  defineCompatFunction('getInternalTransactions', {
    cost: 10,
    holds: true,
    run: ({ chain }, { transaction_hash }) => traceOf(chain, transaction_hash),
  }),
  defineCompatFunction('getTransaction', {
    extraCost: traceCost,
    holds: true,
    async run({ chain }, { transaction_hash, include: more }) {
      const transaction = mapTransaction(await getTransaction(chain, transaction_hash))
      return more ? { ...transaction, internal_transactions: await traceOf(chain, transaction_hash) } : transaction
    },
  }),
  defineCompatFunction('getTransactionVerbose', {
    extraCost: traceCost,
    holds: true,
    async run({ chain }, { transaction_hash, include: more }) {
      const transaction = await mapVerboseTransaction(await getTransaction(chain, transaction_hash))
      return more ? { ...transaction, internal_transactions: await traceOf(chain, transaction_hash) } : transaction
    },
  }),
  defineCompatFunction('getContractEvents', {
    cost: 10,
    holds: true,
    async run({ chain }, { address: contract, topic, abi: given, ...input }) {
      const { toEventSelector } = await import('../../../chain/evm.ts')
      const item = await chooseEvent(await readAbi(given), topic)
      const { limit, cursor, offset } = input
      const wanted = { address: contract, topics: [toEventSelector(item)] }
      const found = await listLogPage(chain, {
        ...(await readRange(chain, rangeFrom(input))),
        ...{ limit, cursor, offset, ...wanted },
      })
      const decoded = await Promise.all(found.rows.map((log) => decodeLog(log, [item])))
      return toCompatPage(found, input, (log, place) => ({
        transaction_hash: log.transactionHash,
        address: log.address,
        block_timestamp: toIso(log.block.timestamp),
        block_number: String(log.blockNumber),
        block_hash: log.blockHash,
        data: Object.fromEntries(
          (decoded[place]?.params ?? []).map(({ name, value }, index) => [name || String(index), plainValue(value)]),
        ),
      }))
    },
  }),
  defineCompatFunction('runContractFunction', {
    holds: true,
    async run({ chain }, { address: contract, function_name, abi: given, params }) {
      const { value } = await callContract(chain, {
        ...{ address: contract, abi: given, functionName: function_name, params },
      })
      return plainValue(value) ?? null
    },
  }),
]

async function traceOf(chain: Chain, hash: Hex) {
  const { transactions, block } = await getInternalTransactions(chain, hash)
  return transactions.map((each) => mapInternal(each, hash, block))
}

const rangeAt = (block: number) => ({ fromBlock: block, toBlock: block })

/** Places that may hold anything, without those at the end. */
function trim(topics: readonly (Hex | undefined)[]): (Hex | null)[] {
  const last = topics.findLastIndex((topic) => topic !== undefined)
  return topics.slice(0, last + 1).map((topic) => topic ?? null)
}

const mapBlock = (block: BlockWithTransactions, traces?: readonly ReturnType<typeof mapInternal>[][]) => ({
  timestamp: toIso(block.timestamp),
  number: String(block.number),
  hash: block.hash,
  parent_hash: block.parentHash,
  nonce: block.nonce ?? '0x0000000000000000',
  sha3_uncles: block.sha3Uncles,
  logs_bloom: block.logsBloom,
  transactions_root: block.transactionsRoot,
  state_root: block.stateRoot,
  receipts_root: block.receiptsRoot,
  miner: block.miner,
  difficulty: block.difficulty.toString(),
  // Nodes have stopped telling it; since the merge it says nothing.
  total_difficulty: (block.totalDifficulty ?? 0n).toString(),
  size: String(block.size),
  extra_data: block.extraData,
  gas_limit: block.gasLimit.toString(),
  gas_used: block.gasUsed.toString(),
  transaction_count: String(block.transactions.length),
  transactions: block.transactions.map((transaction, place) => ({
    ...mapTransaction(transaction),
    ...(traces && { internal_transactions: traces[place] }),
  })),
})
