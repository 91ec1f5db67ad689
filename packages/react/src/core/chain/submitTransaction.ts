import { CountersignError } from '@countersign/protocol'
import { type Address, type Hash, type Hex, isHex, numberToHex } from 'viem'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import { readAccounts } from '../wallet/connectors/readAccounts.ts'
import { openPrompt } from '../wallet/proof/openPrompt.ts'
import type {
  ChainOptions,
  RawTransaction,
  SendOptions,
  SendTransactionInput,
  SentTransaction,
} from './ChainOptions.ts'
import { chainChanged } from './chainChanged.ts'
import { readInteger } from './ethers.ts'
import { explainRevert } from './explainRevert.ts'
import { type Ask, checkChain, openChain, requireAddress } from './openChain.ts'
import { waitForReceipt } from './waitForReceipt.ts'

type Trial = {
  /** ABI with the known errors. */
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
  { wait, timeout, onHash, ...choice }: SendOptions,
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
  const waiting = { confirmations: Number(wait), timeout, onHash, signal, abi }
  // Results of contracts and chain data may change with that block.
  return waitForReceipt(ask, { ...transaction, from, hash }, waiting).finally(() => chainChanged(client))
}

function requireHash(hash: unknown): Hash {
  if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)) return hash as Hash
  throw new CountersignError('OtherCause', 'The wallet returned no transaction hash.', {
    details: 'It may still have sent the transaction. Check the wallet before you try again.',
  })
}

/** The account that sends: the one that was named, the connected one, or the first of the given provider. */
export async function findSender(client: Client, choice: ChainOptions, signal?: AbortSignal): Promise<Address> {
  const chain = openChain(client, choice)
  const ask = chain.listen(signal ?? new AbortController().signal)
  return requireAddress('account', chain.account ?? (await findAccount(ask)))
}

async function findAccount(ask: Ask): Promise<string> {
  const [first] = readAccounts(await ask('eth_accounts'))
  if (first) return first
  throw new ValidationError(
    'Sender address not found',
    'This connection can only read. Connect a wallet that can send.',
  )
}

const amounts = ['value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce'] as const

/** Separates the transaction for JSON-RPC from the options of sending. */
export function readTransaction(input: SendTransactionInput): { rest: SendOptions; transaction: RawTransaction } {
  const { to, data, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, ...rest } = input
  if (to === undefined && (data === undefined || data === '0x')) throw new ValidationError('to is required')
  if (data !== undefined && (!isHex(data) || data.length % 2)) {
    throw new ValidationError('data can only be hexadecimal text of whole bytes')
  }
  const given = { value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce }
  const numbers = amounts.flatMap((name) => (given[name] === undefined ? [] : [[name, readAmount(name, given[name])]]))
  return {
    rest,
    transaction: {
      ...(to !== undefined && { to: requireAddress('to', to) }),
      ...(data !== undefined && { data }),
      ...Object.fromEntries(numbers),
    },
  }
}

export function readAmount(name: string, value: unknown): Hex {
  const amount = tryRead(name, value)
  if (amount < 0n || amount >= 2n ** 256n) throw new ValidationError(`${name} can only be from 0 to 2^256 - 1`)
  return numberToHex(amount)
}

function tryRead(name: string, value: unknown): bigint {
  try {
    return readInteger(value)
  } catch {
    const details = 'Use the smallest unit, such as wei. parseEther and parseUnits convert decimals.'
    throw new ValidationError(`${name} can only be a whole number`, details)
  }
}
