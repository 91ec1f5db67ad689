import type { Database } from '../../db/Database.ts'
import { json, sql } from '../../db/sql.ts'
import type { Chain } from '../nodes/Chain.ts'
import { readHeader } from './readBlocks.ts'

/** A transaction with what became of it. Numbers of any size are decimal text. */
export type Transaction = {
  block: number
  index: number
  hash: string
  blockHash: string
  /** In seconds. */
  time: number
  from: string
  to: string | null
  value: string
  nonce: string
  gas: string
  gasPrice: string
  input: string
  status: number | null
  gasUsed: string | null
  cumulativeGasUsed: string | null
  /** The contract that it made. */
  contract: string | null
}

type RpcTransaction = { [name: string]: string | null | undefined } & { hash: string; from: string; to?: string | null }

type Block = { transactions?: RpcTransaction[] }

/** Selects the indexed addresses. */
type Pick = (addresses: Set<string>) => Promise<ReadonlySet<string>> | ReadonlySet<string>

/** Transactions of blocks, by number or hash, from or to the addresses that `pick` returns; and their total number. */
export async function readTransactions(
  chain: Chain,
  blocks: readonly (`0x${string}` | { hash: `0x${string}` })[],
  pick: Pick,
): Promise<{ transactions: Transaction[]; seen: number }> {
  const answers = await ask(
    chain,
    blocks.map((block) =>
      typeof block === 'string'
        ? { method: 'eth_getBlockByNumber', params: [block, true] }
        : { method: 'eth_getBlockByHash', params: [block.hash, true] },
    ),
  )
  const all = answers.flatMap((answer) => {
    const { timestamp, hash } = readHeader(answer)
    return ((answer as Block).transactions ?? []).map((transaction) => ({
      transaction,
      time: timestamp,
      blockHash: hash,
    }))
  })
  const parties = new Set<string>()
  for (const { transaction } of all) {
    parties.add(transaction.from.toLowerCase())
    if (transaction.to) parties.add(transaction.to.toLowerCase())
  }
  const followed = await pick(parties)
  const wanted = all.filter(
    ({ transaction: { from, to } }) => followed.has(from.toLowerCase()) || (to && followed.has(to.toLowerCase())),
  )
  const receipts = await ask(
    chain,
    wanted.map(({ transaction }) => ({ method: 'eth_getTransactionReceipt', params: [transaction.hash] })),
  )
  const transactions = wanted.map(({ transaction, time, blockHash }, index) => {
    const receipt = (receipts[index] ?? {}) as RpcTransaction
    // A transaction may have moved to another block since: its result there is not part of this one.
    if (receipt.blockHash?.toLowerCase() !== blockHash) throw new Error('The node no longer has the block.')
    return readTransaction(transaction, receipt, time)
  })
  return { transactions, seen: all.length }
}

function readTransaction(sent: RpcTransaction, receipt: RpcTransaction, time: number): Transaction {
  const decimal = (value: string | null | undefined) => (value ? BigInt(value).toString() : null)
  return {
    block: Number(sent.blockNumber),
    index: Number(sent.transactionIndex),
    hash: sent.hash.toLowerCase(),
    blockHash: sent.blockHash?.toLowerCase() ?? '',
    time,
    from: sent.from.toLowerCase(),
    to: sent.to?.toLowerCase() ?? null,
    value: decimal(sent.value) ?? '0',
    nonce: decimal(sent.nonce) ?? '0',
    gas: decimal(sent.gas) ?? '0',
    gasPrice: decimal(receipt.effectiveGasPrice ?? sent.gasPrice) ?? '0',
    input: sent.input ?? '0x',
    status: receipt.status ? Number(receipt.status) : null,
    gasUsed: decimal(receipt.gasUsed),
    cumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
    contract: receipt.contractAddress?.toLowerCase() ?? null,
  }
}

async function ask(chain: Chain, calls: { method: string; params: unknown[] }[]): Promise<unknown[]> {
  if (calls.length === 0) return []
  const outcomes = await chain.batch(calls, { keep: 'none' })
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result
  })
}

/** Keeps transactions, in the open transaction of the database; one that is kept already changes nothing. */
export async function writeTransactions(
  { db, chain }: { db: Database; chain: number },
  transactions: readonly Transaction[],
): Promise<void> {
  if (transactions.length === 0) return
  await db.query(sql`
    insert into countersign.chain_transactions (chain, block, index, hash, block_hash, time, "from", "to",
      value, nonce, gas, gas_price, input, status, gas_used, cumulative_gas_used, contract)
    select ${chain}, block, index, hash, "blockHash", to_timestamp(time), "from", "to",
      value, nonce, gas, "gasPrice", input, status, "gasUsed", "cumulativeGasUsed", contract
    from jsonb_to_recordset(${json(transactions)}::jsonb) as given (
      block bigint, index integer, hash text, "blockHash" text, time bigint, "from" text, "to" text,
      value numeric, nonce numeric, gas numeric, "gasPrice" numeric, input text, status integer,
      "gasUsed" numeric, "cumulativeGasUsed" numeric, contract text)
    order by block, index
    on conflict do nothing`)
}
