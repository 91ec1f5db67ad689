import { CountersignError } from '@countersign/protocol'
import { chainFields } from '@countersign/protocol/contract'
import { z } from 'zod'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { readHex, toQuantity } from '../../../chain/nodes/quantities.ts'
import { callContract } from '../../../chain/reads/callContract.ts'
import { dateToBlock } from '../../../chain/reads/dateToBlock.ts'
import { decodeLog } from '../../../chain/reads/decodeLog.ts'
import { getBlock } from '../../../chain/reads/getBlock.ts'
import { chooseEvent } from '../../../chain/reads/getContractEvents.ts'
import { getInternalTransactions } from '../../../chain/reads/getInternalTransactions.ts'
import { getTransaction } from '../../../chain/reads/getTransaction.ts'
import { readAbi } from '../../../chain/reads/readAbi.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { toIso } from '../describeBlockRef.ts'
import { listLogPage } from '../listLogPage.ts'
import { plainValue } from '../plainValue.ts'
import { readRange } from '../readRange.ts'
import { defineOlder } from './defineOlder.ts'
import { mapBlock } from './mapBlock.ts'
import { mapInternal, mapTopics, mapTransaction, mapVerboseTransaction } from './mapTransaction.ts'
import { olderPage, olderRange, rangeFrom } from './olderFields.ts'
import { toOlderPage } from './olderPage.ts'

const { abi, address, anyBlock, blockNumber, callParams, date, hash, text } = chainFields

/** What traces count for besides. */
const traceCost = ({ include: more }: { include?: string | undefined }) => (more ? 9 : 0)
const include = z.enum(['internal_transactions']).optional()
const topics = { topic0: hash.optional(), topic1: hash.optional(), topic2: hash.optional(), topic3: hash.optional() }

export const nativeFunctions: Endpoint[] = [
  defineOlder('getBlock', {
    summary: 'A block with its transactions and logs.',
    input: { block_number_or_hash: anyBlock, include },
    extraCost: traceCost,
    holds: true,
    async run({ chain }, { block_number_or_hash: wanted, include: more }) {
      const block = await getBlock(chain, wanted === 'finalized' ? await chain.finalized() : wanted)
      if (!more) return mapBlock(block)
      if (block.transactions.length > 50)
        throw new CountersignError('InvalidQuery', 'The block has too many transactions to trace them all at once.')
      return mapBlock(block, await Promise.all(block.transactions.map((each) => traceOf(chain, each.hash))))
    },
  }),
  defineOlder('getDateToBlock', {
    summary: 'The newest block that is not later than a date.',
    input: { date },
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
  defineOlder('getLogsByAddress', {
    summary: 'Logs of a contract, the newest first.',
    input: { address, block_number: blockNumber.optional(), ...topics, ...olderRange, ...olderPage },
    cost: 10,
    holds: true,
    async run({ chain }, { address: contract, block_number, topic0, topic1, topic2, topic3, ...input }) {
      const at = block_number === undefined ? await readRange(chain, rangeFrom(input)) : rangeAt(block_number)
      const { limit, cursor, offset } = input
      const wanted = trim([topic0, topic1, topic2, topic3])
      const found = await listLogPage(chain, { ...at, limit, cursor, offset, address: contract, topics: wanted })
      return toOlderPage(found, input, (log) => ({
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
  defineOlder('getInternalTransactions', {
    summary: 'What contracts did to each other within a transaction. Needs a node with traces.',
    input: { transaction_hash: hash },
    cost: 10,
    holds: true,
    run: ({ chain }, { transaction_hash }) => traceOf(chain, transaction_hash),
  }),
  defineOlder('getTransaction', {
    summary: 'A transaction with its logs.',
    input: { transaction_hash: hash, include },
    extraCost: traceCost,
    holds: true,
    async run({ chain }, { transaction_hash, include: more }) {
      const transaction = mapTransaction(await getTransaction(chain, transaction_hash))
      return more ? { ...transaction, internal_transactions: await traceOf(chain, transaction_hash) } : transaction
    },
  }),
  defineOlder('getTransactionVerbose', {
    summary: 'A transaction with its logs, call and events in words where they are known.',
    input: { transaction_hash: hash, include },
    extraCost: traceCost,
    holds: true,
    async run({ chain }, { transaction_hash, include: more }) {
      const transaction = await mapVerboseTransaction(await getTransaction(chain, transaction_hash))
      return more ? { ...transaction, internal_transactions: await traceOf(chain, transaction_hash) } : transaction
    },
  }),
  defineOlder('getContractEvents', {
    summary: 'Events of a contract, decoded by its ABI.',
    input: { address, topic: text, abi, ...olderRange, ...olderPage },
    cost: 10,
    holds: true,
    async run({ chain }, { address: contract, topic, abi: given, ...input }) {
      const { toEventSelector } = await import('viem')
      const item = await chooseEvent(await readAbi(given), topic)
      const { limit, cursor, offset } = input
      const wanted = { address: contract, topics: [toEventSelector(item)] }
      const found = await listLogPage(chain, {
        ...(await readRange(chain, rangeFrom(input))),
        ...{ limit, cursor, offset, ...wanted },
      })
      const decoded = await Promise.all(found.rows.map((log) => decodeLog(log, [item])))
      return toOlderPage(found, input, (log, place) => ({
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
  defineOlder('runContractFunction', {
    summary: 'Read a contract: call a function of it without a transaction.',
    input: {
      address,
      function_name: text,
      abi,
      params: callParams,
    },
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
