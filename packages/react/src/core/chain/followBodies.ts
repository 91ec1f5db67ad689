import {
  type Abi,
  BaseError,
  encodeEventTopics,
  formatLog,
  type Hash,
  type Hex,
  hexToBigInt,
  type Log,
  numberToHex,
  parseEventLogs,
  type RpcLog,
  type TransactionReceipt,
} from 'viem'
import type { Client } from '../client/Client.ts'
import { sleep, ValidationError } from '../errors/errors.ts'
import { checksumAddress } from '../values/checksumAddress.ts'
import type { ChainOptions } from './ChainOptions.ts'
import { chainChanged } from './chainChanged.ts'
import type { ContractEvent, ContractEventsInput, WaitForReceiptInput } from './FollowInputs.ts'
import { type Ask, requireAddress } from './openChain.ts'
import { openReader } from './openReader.ts'
import { type Sent, waitForReceipt } from './waitForReceipt.ts'

export async function readBlockNumber(client: Client, choice: ChainOptions, signal?: AbortSignal): Promise<bigint> {
  const { ask } = await openReader(client, choice, signal)
  return askBlock(ask)
}

async function askBlock(ask: Ask): Promise<bigint> {
  return hexToBigInt((await ask('eth_blockNumber')) as Hex)
}

/** Waits for a receipt by the hash alone: sender and nonce, which find a replacement, come from the node. */
export async function awaitReceipt(
  client: Client,
  { hash, confirmations = 1, timeout = 600_000, ...choice }: WaitForReceiptInput,
  signal?: AbortSignal,
): Promise<TransactionReceipt> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) throw new ValidationError('hash can only be a transaction hash')
  const { ask } = await openReader(client, choice, signal)
  const until = Date.now() + timeout
  const sent = (await findSent(ask, hash, until, signal)) ?? { hash, from: '' }
  const waiting = { confirmations, timeout: Math.max(0, until - Date.now()), ...(signal && { signal }) }
  const { receipt } = await waitForReceipt(ask, sent, waiting)
  // Contracts and chain data have new values from that block on.
  chainChanged(client)
  return receipt as TransactionReceipt
}

type Known = { from: string; to: string | null; input: Hex; value: Hex; nonce: Hex } | null

/** Looks for a transaction until the node has it: it may have been sent through another node. */
async function findSent(ask: Ask, hash: Hash, until: number, signal?: AbortSignal): Promise<Sent | undefined> {
  for (let pause = 200; Date.now() < until && !signal?.aborted; pause = Math.min(pause * 1.5, 3000)) {
    const known = (await ask('eth_getTransactionByHash', [hash])) as Known
    if (known) {
      const { from, to, input, value, nonce } = known
      return { hash, from, data: input, value, nonce, ...(to && { to }) }
    }
    await sleep(pause, signal)
  }
  return undefined
}

/** Blocks that are read again at each look: a reorganization may have replaced them. */
const unsettled = 5n

/** Largest number of events of one reading; older ones are dropped. */
const mostEvents = 10_000

/** Events of earlier looks, the first block of all of them, and the first that was not read yet. */
export type EventsMemo = { known: readonly ContractEvent[]; first?: bigint; next?: bigint }

/** Reads events of a block range; with a memo of earlier looks, only what is new. */
export async function readEvents(
  client: Client,
  { address, abi, eventName, args, fromBlock, toBlock, ...choice }: ContractEventsInput,
  signal?: AbortSignal,
  memo?: EventsMemo,
): Promise<readonly ContractEvent[]> {
  const filter = { address: requireAddress('address', address), topics: encodeTopics(abi, eventName, args) }
  const { ask } = await openReader(client, choice, signal)
  const latest = await askBlock(ask)
  const last = toBlock !== undefined && toBlock < latest ? toBlock : latest
  const { known = [], first = fromBlock ?? (memo ? latest + 1n : latest), next = first } = memo ?? {}
  const start = next - unsettled > first ? next - unsettled : first
  const logs = start > last ? [] : await listLogs(ask, filter, start, last)
  const found = parseEventLogs({ abi: abi as Abi, eventName, logs: logs.map(readLog), strict: true })
  const kept = known.filter(({ blockNumber }) => blockNumber < start)
  const events = Object.freeze([...kept, ...(found as unknown as ContractEvent[])].slice(-mostEvents))
  if (memo && !signal?.aborted)
    Object.assign(memo, { known: events, first, next: last + 1n > first ? last + 1n : first })
  return events
}

function readLog(log: RpcLog): Log {
  return formatLog({ ...log, address: checksumAddress(log.address) }) as Log
}

function encodeTopics(abi: unknown, eventName: unknown, args: unknown): unknown[] {
  try {
    return encodeEventTopics({ abi: abi as Abi, eventName: eventName as string, args: args as never })
  } catch (error) {
    const reason = error instanceof BaseError ? error.shortMessage : String(error)
    throw new ValidationError(`The event ${String(eventName)} does not fit the ABI`, reason)
  }
}

const isTooMuch = /range|limit|exceed|more than|too (many|large)/i
const isTooOften = /rate|requests|per second/i

/** Splits a range that the node refuses as too large, at most into 1,024 parts. A rate limit is no such refusal. */
async function listLogs(ask: Ask, filter: object, from: bigint, to: bigint, depth = 10): Promise<RpcLog[]> {
  try {
    const asked = { ...filter, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
    return (await ask('eth_getLogs', [asked])) as RpcLog[]
  } catch (error) {
    const { message } = error as Error
    if (from === to || depth === 0 || !isTooMuch.test(message) || isTooOften.test(message)) throw error
    const middle = (from + to) / 2n
    const older = await listLogs(ask, filter, from, middle, depth - 1)
    return [...older, ...(await listLogs(ask, filter, middle + 1n, to, depth - 1))]
  }
}
