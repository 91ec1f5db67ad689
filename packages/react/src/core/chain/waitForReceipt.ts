import { CountersignError } from '@countersign/protocol'
import { formatTransactionReceipt, type Hex, type TransactionReceipt } from 'viem'
import { sleep } from '../sleep.ts'
import type { SentTransaction } from './ChainChoice.ts'
import { explainFailure } from './explainFailure.ts'
import { findReplacement } from './findReplacement.ts'
import type { Ask } from './openChain.ts'
import type { RawTransaction } from './submitTransaction.ts'

export type Sent = RawTransaction & { readonly from: string; readonly hash: string }

type Waiting = {
  readonly confirmations: number
  readonly timeout?: number
  readonly onHash?: (hash: string) => void
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
      // A node may fail for a moment; what says that the transaction itself is lost has no provider's error behind it.
      if (signal?.aborted || !(error instanceof Error) || !isProviderFailure(error)) throw error
      if (++failures === failureLimit) throw lostSight(sent.hash, error)
    }
    if (Date.now() + pause > until) {
      throw new CountersignError('Timeout', 'The transaction is not on the chain yet.', {
        details: `${sent.hash} was sent and may still go through: do not send it again before you have looked.`,
      })
    }
    await sleep(pause, signal)
  }
}

async function findReceipt(ask: Ask, hash: string, confirmations: number): Promise<TransactionReceipt | undefined> {
  const raw = await ask('eth_getTransactionReceipt', [hash])
  if (typeof raw !== 'object' || raw === null) return undefined
  const receipt = formatTransactionReceipt(raw as Parameters<typeof formatTransactionReceipt>[0])
  if (confirmations <= 1) return receipt
  const latest = BigInt((await ask('eth_blockNumber')) as Hex)
  return latest - receipt.blockNumber + 1n >= BigInt(confirmations) ? receipt : undefined
}

/** Asked while the node knows the transaction: once it is replaced, it does not. */
async function findNonce(ask: Ask, hash: string): Promise<Hex | undefined> {
  const known = (await ask('eth_getTransactionByHash', [hash])) as { readonly nonce?: Hex } | null
  return known?.nonce
}

function lostSight(hash: string, { message, cause }: Error): CountersignError {
  return new CountersignError('OtherCause', `The transaction was sent; what became of it cannot be read: ${message}`, {
    cause,
    details: `${hash} may still go through: do not send it again before you have looked.`,
  })
}

function isProviderFailure({ name, cause }: Error): boolean {
  return name === 'CountersignError' && cause instanceof Error && cause.name === 'ProviderError'
}
