import { CountersignError } from '@countersign/protocol'
import { type Hash, type Hex, isHex } from 'viem'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import { openPrompt } from '../wallet/proof/openPrompt.ts'
import type { CallsStatus, Capabilities, SendCallsInput, SentCalls, WalletCall } from './CallsInput.ts'
import type { ChainOptions, RawTransaction } from './ChainOptions.ts'
import { encodeCall } from './encodeCall.ts'
import { type Ask, checkChain, isUnknownMethod, openChain } from './openChain.ts'
import { findSender, readTransaction } from './submitTransaction.ts'

const mostCalls = 100

/** Begins the id of calls that were sent one after another: the hashes stand behind it. */
const mark = 'transactions:'

/** Has the wallet send several calls by one prompt, or one after another where it has no such prompt. */
export async function submitCalls(
  client: Client,
  { calls, capabilities, ...choice }: SendCallsInput,
  signal: AbortSignal | undefined,
): Promise<SentCalls> {
  if (calls.length === 0 || calls.length > mostCalls) {
    throw new ValidationError(`calls can only be 1 to ${mostCalls} calls`, `Received ${calls.length}.`)
  }
  const written = calls.map(writeCall)
  const chain = openChain(client, choice)
  const wish = ['sendCalls', chain.provider, chain.account, choice.chainId, JSON.stringify(written)]
  return openPrompt(client, wish, signal, async (prompt) => {
    const ask = chain.listen(prompt.signal)
    await checkChain(ask, choice.chainId)
    const from = await findSender(client, choice, prompt.signal)
    const chainId = choice.chainId === undefined ? String(await ask('eth_chainId')) : toHex(choice.chainId)
    const url = client.internal.options.paymasters?.[Number(chainId)]
    const wishes = { ...(url && { paymasterService: { url } }), ...capabilities }
    const batch = { version: '2.0.0', from, chainId, atomicRequired: false, calls: written, capabilities: wishes }
    try {
      const answer = await ask('wallet_sendCalls', [batch])
      return { id: readId(answer) }
    } catch (error) {
      if (!isUnknownMethod(error)) throw error
      return sendEach(
        ask,
        written.map((call) => ({ ...call, from, chainId })),
      )
    }
  })
}

function writeCall(call: WalletCall): RawTransaction {
  if (!('abi' in call)) return readTransaction(call).transaction
  const { data } = encodeCall(call.abi, call.functionName, call.args)
  return readTransaction({ to: call.address, data, value: call.value }).transaction
}

async function sendEach(ask: Ask, transactions: readonly object[]): Promise<SentCalls> {
  const hashes: string[] = []
  for (const transaction of transactions) {
    try {
      hashes.push(String(await ask('eth_sendTransaction', [transaction])))
    } catch (cause) {
      if (hashes.length === 0) throw cause
      // The caller must not send those again that are on their way.
      throw new CountersignError('OtherCause', `Only ${hashes.length} of ${transactions.length} calls were sent.`, {
        cause,
        details: `Sent: ${hashes.join(', ')}. Send only the remaining calls.`,
      })
    }
  }
  return { id: mark + hashes.join() }
}

function readId(answer: unknown): string {
  const id: unknown = typeof answer === 'string' ? answer : Object(answer).id
  if (typeof id === 'string' && id !== '') return id
  throw new CountersignError('OtherCause', 'The wallet returned no id for the calls.', {
    details: 'It may still have sent them. Check the wallet before you try again.',
  })
}

/** State of calls, from the wallet that sent them. */
export async function readCallsStatus(
  client: Client,
  { id, ...choice }: ChainOptions & { readonly id: string },
  signal: AbortSignal | undefined,
): Promise<CallsStatus> {
  const ask = openChain(client, choice).read(signal)
  if (id.startsWith(mark)) return readEach(ask, id.slice(mark.length).split(','))
  const answer: { status?: unknown; atomic?: unknown; receipts?: unknown } = Object(
    await ask('wallet_getCallsStatus', [id]),
  )
  const receipts = Array.isArray(answer.receipts) ? answer.receipts.map(readReceipt) : []
  return { status: readStatus(answer.status), isAtomic: answer.atomic === true, receipts }
}

async function readEach(ask: Ask, hashes: readonly string[]): Promise<CallsStatus> {
  const found = await Promise.all(hashes.map((hash) => ask('eth_getTransactionReceipt', [hash])))
  const receipts = found.filter((receipt) => receipt !== null).map(readReceipt)
  const isFailed = receipts.some(({ status }) => status === 'reverted')
  const status = receipts.length < hashes.length ? 'pending' : isFailed ? 'failure' : 'success'
  return { status, isAtomic: false, receipts }
}

/** Numbers of EIP-5792: 100 is under way, 200 is done, everything above failed. Drafts of it had words. */
function readStatus(status: unknown): CallsStatus['status'] {
  if (status === 'CONFIRMED' || (Number(status) >= 200 && Number(status) < 300)) return 'success'
  return Number(status) >= 300 ? 'failure' : 'pending'
}

function readReceipt(receipt: unknown): CallsStatus['receipts'][number] {
  const { transactionHash, status }: { transactionHash?: unknown; status?: unknown } = Object(receipt)
  return {
    transactionHash: (isHex(transactionHash) ? transactionHash : '0x') as Hash,
    status: Number(status) === 1 ? 'success' : 'reverted',
  }
}

/** Abilities of the wallet; empty if it reports none. */
export async function readCapabilities(
  client: Client,
  choice: ChainOptions,
  signal: AbortSignal | undefined,
): Promise<Capabilities> {
  const ask = openChain(client, choice).read(signal)
  const account = await findSender(client, choice, signal)
  const chains = choice.chainId === undefined ? [] : [[toHex(choice.chainId)]]
  const answer = await ask('wallet_getCapabilities', [account, ...chains]).catch((error) => {
    if (isUnknownMethod(error)) return {}
    throw error
  })
  const chainsOf = Object.entries<{ readonly [name: string]: unknown }>(Object(answer))
  return Object.fromEntries(chainsOf.map(([chain, abilities]) => [Number(chain), abilities]))
}

function toHex(chainId: number): Hex {
  return `0x${chainId.toString(16)}`
}
