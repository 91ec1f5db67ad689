import { CountersignError } from '@countersign/protocol'
import { formatTransactionReceipt, type Hash, type Hex, hexToBigInt, numberToHex, type TransactionReceipt } from 'viem'
import { sleep } from '../errors/errors.ts'
import { RevertError } from '../errors/walletErrors.ts'
import { checksumAddress } from '../values/checksumAddress.ts'
import type { RawTransaction, SentTransaction } from './ChainOptions.ts'
import { explainRevert } from './explainRevert.ts'
import type { Ask } from './openChain.ts'

export type Sent = RawTransaction & { readonly from: string; readonly hash: Hash }

type Waiting = {
  readonly confirmations: number
  readonly timeout?: number
  readonly onHash?: (hash: Hash) => void
  readonly signal?: AbortSignal
  readonly abi?: unknown
}

const failureLimit = 5

/** Waits until a transaction is on the chain, also where its owner replaced it by the same one for another price. */
export async function waitForReceipt(ask: Ask, first: Sent, waiting: Waiting): Promise<SentTransaction> {
  const { confirmations, timeout = 600_000, onHash, signal, abi } = waiting
  const until = Date.now() + timeout
  let sent = first
  let failures = 0
  for (let pause = 200; ; pause = Math.min(pause * 1.5, 3000)) {
    try {
      const receipt = await findReceipt(ask, sent.hash, confirmations)
      if (receipt?.status === 'reverted') await explainFailure(ask, sent, receipt.blockNumber, abi)
      if (receipt) return { hash: sent.hash, receipt }
      const nonce = sent.nonce ?? (await findNonce(ask, sent.hash))
      if (nonce) sent = { ...sent, nonce }
      const replacement = nonce && (await findReplacement(ask, { ...sent, nonce }))
      if (replacement) {
        sent = { ...sent, hash: replacement }
        onHash?.(replacement)
      }
      failures = 0
    } catch (error) {
      // A node may fail for a moment; an error about the transaction itself has no provider error as its cause.
      if (signal?.aborted || !(error instanceof Error) || !isProviderFailure(error)) throw error
      if (++failures === failureLimit) throw lostSight(sent.hash, error)
    }
    if (Date.now() + pause > until) {
      throw new CountersignError('Timeout', 'The transaction is not on the chain yet.', {
        details: `${sent.hash} was sent and may still succeed. Check its status before you send it again.`,
      })
    }
    await sleep(pause, signal)
  }
}

async function findReceipt(ask: Ask, hash: string, confirmations: number): Promise<TransactionReceipt | undefined> {
  const raw = await ask('eth_getTransactionReceipt', [hash])
  if (typeof raw !== 'object' || raw === null) return undefined
  const receipt = withChecksums(formatTransactionReceipt(raw as Parameters<typeof formatTransactionReceipt>[0]))
  if (confirmations <= 1) return receipt
  const latest = BigInt((await ask('eth_blockNumber')) as Hex)
  return latest - receipt.blockNumber + 1n >= BigInt(confirmations) ? receipt : undefined
}

/** Nodes write addresses in lower case. */
function withChecksums(receipt: TransactionReceipt): TransactionReceipt {
  const { from, to, contractAddress, logs } = receipt
  return {
    ...receipt,
    from: checksumAddress(from),
    to: to && checksumAddress(to),
    ...(contractAddress && { contractAddress: checksumAddress(contractAddress) }),
    logs: logs.map((log) => ({ ...log, address: checksumAddress(log.address) })),
  }
}

/** Asked while the node knows the transaction: once it is replaced, it does not. */
async function findNonce(ask: Ask, hash: string): Promise<Hex | undefined> {
  const known = (await ask('eth_getTransactionByHash', [hash])) as { readonly nonce?: Hex } | null
  return known?.nonce
}

function lostSight(hash: string, { message, cause }: Error): CountersignError {
  return new CountersignError('OtherCause', `The transaction was sent, but its result cannot be read: ${message}`, {
    cause,
    status: 503,
    details: `${hash} may still succeed. Check its status before you send it again.`,
  })
}

function isProviderFailure({ name, cause }: Error): boolean {
  return name === 'CountersignError' && cause instanceof Error && cause.name === 'ProviderError'
}

/** Why a transaction on the chain failed: it is tried again on the state before its block, which changes nothing. */
async function explainFailure(ask: Ask, { hash, from, to, data, value, gas }: Sent, block: bigint, abi: unknown) {
  const call = { from, to, data, value, gas }
  for (const at of [block, block - 1n]) {
    try {
      await ask('eth_call', [call, numberToHex(at) satisfies Hex])
    } catch (error) {
      explainRevert(error, abi, hash)
    }
  }
  throw new RevertError({ reason: 'its reason can no longer be read', hash })
}

type Known = {
  readonly hash: Hash
  readonly from: string
  readonly to: string | null
  readonly nonce: Hex
  readonly input: string
  readonly value: Hex
}

type Block = { readonly number: Hex; readonly transactions: readonly Known[] }

const blockLimit = 10

/**
 * Wallets let their owner speed up or cancel a transaction: another one takes its nonce, and the first is never mined.
 * Returns the hash of one that differs only in its price, and throws for any other.
 */
async function findReplacement(ask: Ask, sent: Sent & { readonly nonce: Hex }): Promise<Hash | undefined> {
  const nonce = hexToBigInt(sent.nonce)
  const count = (await ask('eth_getTransactionCount', [sent.from, 'latest'])) as Hex
  if (hexToBigInt(count) <= nonce) return undefined
  let block = (await ask('eth_getBlockByNumber', ['latest', true])) as Block | null
  for (let depth = 1; block; depth++) {
    const taken = block.transactions.find((one) => isSame(one.from, sent.from) && hexToBigInt(one.nonce) === nonce)
    if (taken) return isSame(taken.hash, sent.hash) ? undefined : adopt(sent, taken)
    const number = hexToBigInt(block.number)
    if (number === 0n || depth === blockLimit) return undefined
    block = (await ask('eth_getBlockByNumber', [numberToHex(number - 1n), true])) as Block | null
  }
  return undefined
}

function adopt(sent: Sent, taken: Known): Hash {
  const isSameCall = isSame(taken.to ?? undefined, sent.to) && isSame(taken.input, sent.data ?? '0x')
  if (isSameCall && hexToBigInt(taken.value) === hexToBigInt(sent.value ?? '0x0')) return taken.hash
  const isCancelled = isSame(taken.to ?? undefined, sent.from) && hexToBigInt(taken.value) === 0n
  const message = isCancelled
    ? 'The transaction was cancelled in the wallet.'
    : 'The transaction was replaced by another one in the wallet.'
  throw new CountersignError('OtherCause', message, { details: `${taken.hash} replaced ${sent.hash}.` })
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
