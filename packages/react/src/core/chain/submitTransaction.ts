import { CountersignError } from '@countersign/protocol'
import type { Hex } from 'viem'
import type { Client } from '../Client.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import type { SendChoice, SentTransaction } from './ChainChoice.ts'
import { explainRevert } from './explainRevert.ts'
import { findSender } from './findSender.ts'
import { type Ask, checkChain, openChain } from './openChain.ts'
import { waitForReceipt } from './waitForReceipt.ts'

/** A transaction as JSON-RPC has it: numbers are hexadecimal. */
export type RawTransaction = {
  readonly to?: string
  readonly data?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly nonce?: Hex
}

type Trial = {
  /** Whose errors are known. */
  readonly abi?: unknown
  /** Tries it out before the wallet is asked. */
  readonly simulate?: (ask: Ask, call: RawTransaction & { readonly from: string }) => Promise<void>
}

/**
 * Has the wallet send a transaction, and waits for it where that is wished. Trying out and asking are one prompt, so that
 * a second click does not pay twice.
 */
export async function submitTransaction(
  client: Client,
  { wait, timeout, onHash, ...choice }: SendChoice,
  transaction: RawTransaction,
  { abi, simulate }: Trial,
  signal: AbortSignal | undefined,
): Promise<SentTransaction> {
  const chain = openChain(client, choice)
  const parts = Object.values(transaction)
  const wish = ['sendTransaction', chain.provider, chain.account, choice.chainId, ...Object.keys(transaction), ...parts]
  const { hash, from } = await openPrompt(client, wish, signal, async (prompt) => {
    const ask = chain.listen(prompt.signal)
    await checkChain(ask, choice.chainId)
    const from = await findSender(client, choice, prompt.signal)
    await simulate?.(ask, { ...transaction, from })
    const chainId = choice.chainId === undefined ? undefined : `0x${choice.chainId.toString(16)}`
    const hash = await ask('eth_sendTransaction', [{ ...transaction, from, ...(chainId && { chainId }) }]).catch(
      (error) => explainRevert(error, abi),
    )
    return { hash: requireHash(hash), from }
  })
  onHash?.(hash)
  if (!wait) return { hash }
  const ask = chain.listen(signal ?? new AbortController().signal)
  return waitForReceipt(
    ask,
    { ...transaction, from, hash },
    { confirmations: Number(wait), timeout, onHash, signal, abi },
  )
}

function requireHash(hash: unknown): string {
  if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)) return hash
  throw new CountersignError('OtherCause', 'The wallet answered with no transaction hash.', {
    details: 'It may have sent the transaction all the same: look into the wallet before trying again.',
  })
}
