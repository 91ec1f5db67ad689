import { CountersignError } from '@countersign/protocol'
import {
  type AbiFunction,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  keccak256,
  multicall3Abi,
  toFunctionSignature,
} from 'viem'
import type { Client } from '../client/Client.ts'
import { untilAborted } from '../errors/errors.ts'
import { ProviderError, WrongChainError } from '../errors/walletErrors.ts'
import type { ChainReader, WaitingCall } from '../state/ChainReader.ts'
import type { Ask } from './openChain.ts'
import type { Reader } from './openReader.ts'

/** Address of Multicall3 on most chains. */
const usualAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Hash of its code. Another contract at the address could make up every result. */
const usualCode = '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891'

/** Most calls of a batch, and most characters of their data: nodes limit the gas and the size of a call. */
const mostCalls = 100
const mostText = 60_000

/** Time (ms) for which a call that failed is sent alone, and the most calls that are remembered. */
const aloneFor = 60_000
const mostAlone = 1000

/** Code of EIP-1474: a limit is exceeded. */
const limitExceeded = -32005

/** Functions whose standard defines them for every caller alike (ERC-20, 165, 721, 1155, 2981, 4626). */
const standardFunctions = new Set([
  'name()',
  'symbol()',
  'decimals()',
  'totalSupply()',
  'balanceOf(address)',
  'allowance(address,address)',
  'supportsInterface(bytes4)',
  'ownerOf(uint256)',
  'tokenURI(uint256)',
  'getApproved(uint256)',
  'isApprovedForAll(address,address)',
  'tokenByIndex(uint256)',
  'tokenOfOwnerByIndex(address,uint256)',
  'balanceOf(address,uint256)',
  'balanceOfBatch(address[],uint256[])',
  'uri(uint256)',
  'royaltyInfo(uint256,uint256)',
  'asset()',
  'totalAssets()',
  'convertToShares(uint256)',
  'convertToAssets(uint256)',
])

/**
 * Returns true for a call that may go through Multicall3, where the calling contract is another one: it reads only, and
 * no account was chosen that its result could depend on.
 */
export function isShareable(fn: AbiFunction, chosen: string | undefined, connected: string | undefined): boolean {
  // A call that writes would change the state for its neighbors.
  if (chosen !== undefined || (fn.stateMutability !== 'view' && fn.stateMutability !== 'pure')) return false
  return connected === undefined || fn.stateMutability === 'pure' || standardFunctions.has(toFunctionSignature(fn))
}

/** Sends a contract call together with the others of this moment: one check of the chain, one request where possible. */
export function batchCall(
  client: Client,
  { chain, source, nodeChain }: Reader,
  call: Omit<WaitingCall, 'signal' | 'resolve' | 'reject'>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  client.internal.readers ??= new WeakMap()
  const reader: ChainReader = client.internal.readers.get(source) ?? {
    waiting: [],
    contracts: new Map(),
    alone: new Map(),
  }
  client.internal.readers.set(source, reader)
  const answer = new Promise((resolve, reject) => {
    if (reader.waiting.push({ ...call, signal, resolve, reject }) > 1) return
    setTimeout(() => {
      const calls = reader.waiting.filter((one) => !one.signal?.aborted)
      reader.waiting = []
      const ask: Ask = (method, params) => chain.read(undefined)(method, params)
      if (calls.length > 0) void send({ client, reader, ask }, nodeChain?.id, calls)
    })
  })
  return signal ? untilAborted(() => answer, signal) : answer
}

type Sender = { readonly client: Client; readonly reader: ChainReader; readonly ask: Ask }

async function send(sender: Sender, nodeChain: number | undefined, calls: readonly WaitingCall[]): Promise<void> {
  const batches = listBatches(sender, calls)
  let chainId = nodeChain
  if (chainId === undefined && (batches.some(isSeveral) || calls.some((call) => call.chainId !== undefined))) {
    // The provider itself is asked: the page's state may be outdated.
    const found = await sender.ask('eth_chainId').then(Number, (error: unknown) => ({ error }))
    if (typeof found === 'number') chainId = found
    else for (const call of calls) if (call.chainId !== undefined) call.reject(found.error)
  }
  for (const batch of batches) {
    const right = batch.filter((call) => call.chainId === undefined || call.chainId === chainId)
    for (const { reject, chainId: wanted } of batch) {
      if (wanted !== undefined && chainId !== undefined && wanted !== chainId)
        reject(new WrongChainError(wanted, chainId))
    }
    if (chainId !== undefined && isSeveral(right)) void sendTogether(sender, chainId, right)
    else for (const call of right) void sendAlone(sender, call)
  }
}

function isSeveral({ length }: readonly unknown[]): boolean {
  return length > 1
}

/** Groups calls of the same account and block. Others are groups of one. */
function listBatches({ client, reader }: Sender, calls: readonly WaitingCall[]): readonly (readonly WaitingCall[])[] {
  const batches: WaitingCall[][] = []
  const isOff = client.internal.options.multicall === false
  const open = new Map<string, { batch: WaitingCall[]; text: number }>()
  for (const call of calls) {
    const { account, block, data } = call
    const key = `${account} ${block}`
    const last = open.get(key)
    if (isOff || !call.canShare || (reader.alone.get(nameOf(call)) ?? 0) > Date.now()) batches.push([call])
    else if (last && last.batch.length < mostCalls && last.text + data.length <= mostText) {
      last.batch.push(call)
      last.text += data.length
    } else {
      const batch = [call]
      batches.push(batch)
      open.set(key, { batch, text: data.length })
    }
  }
  return batches
}

/** Returns true if the call succeeded. */
async function sendAlone({ ask }: Sender, call: WaitingCall): Promise<boolean> {
  const { account, to, data, block, resolve, reject } = call
  try {
    resolve(await ask('eth_call', [{ from: account, to, data }, block]))
    return true
  } catch (error) {
    reject(error)
    return false
  }
}

/** Failed calls are sent again alone: one of them may have used up the gas of the others. */
async function sendTogether(sender: Sender, chainId: number, calls: readonly WaitingCall[]): Promise<void> {
  let results: readonly Result[] | undefined
  try {
    results = await aggregate(sender, chainId, calls)
  } catch (error) {
    // One request was too many: sending each call alone would be worse.
    if (isLimit(error)) {
      for (const { reject } of calls) reject(error)
      return
    }
  }
  const failed = calls.filter((call, index) => {
    const { success, returnData } = results?.[index] ?? {}
    if (success) call.resolve(returnData)
    return !success
  })
  const outcomes = await Promise.all(failed.map((call) => sendAlone(sender, call)))
  // If every call fails, the cause is the node.
  if (failed.length === calls.length && !outcomes.includes(true)) return
  for (const [index, call] of failed.entries()) if (!outcomes[index]) rememberAlone(sender.reader, call)
}

function rememberAlone({ alone }: ChainReader, call: WaitingCall): void {
  const name = nameOf(call)
  alone.delete(name)
  alone.set(name, Date.now() + aloneFor)
  for (const oldest of alone.keys()) {
    if (alone.size <= mostAlone) break
    alone.delete(oldest)
  }
}

function nameOf({ to, data }: WaitingCall): string {
  return `${to}${data}`.toLowerCase()
}

function isLimit(error: unknown): boolean {
  if (!(error instanceof CountersignError)) return false
  return error.rateLimit !== undefined || (error.cause instanceof ProviderError && error.cause.code === limitExceeded)
}

type Result = { readonly success: boolean; readonly returnData: Hex }

/** Results of one call to Multicall3; undefined if the chain has none. */
async function aggregate(
  sender: Sender,
  chainId: number,
  calls: readonly WaitingCall[],
): Promise<readonly Result[] | undefined> {
  const { reader, ask } = sender
  const isKnown = reader.contracts.has(chainId)
  const trusted = findTrusted(sender, chainId)
  // Sent beside the first look at the code, which saves a round trip. It counts only if the code is the known one.
  const to = isKnown ? await trusted : (configuredOf(sender, chainId) ?? usualAddress)
  if (!to) return undefined
  const [{ account, block } = { account: undefined, block: 'latest' }] = calls
  const parts = calls.map((call) => ({ target: call.to as Address, allowFailure: true, callData: call.data as Hex }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [parts] })
  const asked = ask('eth_call', [{ from: account, to, data }, block])
  // Its failure means nothing if the code is another one.
  asked.catch(() => undefined)
  if (!(await trusted)) return undefined
  const answer = await asked
  if (!isHex(answer) || answer === '0x') {
    // There is no contract; an old block may be from before it.
    if (block === 'latest') reader.contracts.set(chainId, Promise.resolve(undefined))
    return undefined
  }
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
  return results.length === calls.length ? results : undefined
}

function configuredOf({ client }: Sender, chainId: number): Address | false | undefined {
  const { multicall } = client.internal.options
  return multicall ? multicall[chainId] : multicall
}

/** The configured contract, or the one at the usual address if it has the known code. */
function findTrusted(sender: Sender, chainId: number): Promise<string | undefined> {
  const { contracts } = sender.reader
  const found = contracts.get(chainId) ?? lookForTrusted(sender, chainId)
  contracts.set(chainId, found)
  return found
}

async function lookForTrusted(sender: Sender, chainId: number): Promise<string | undefined> {
  const configured = configuredOf(sender, chainId)
  if (configured !== undefined) return configured || undefined
  try {
    const code = await sender.ask('eth_getCode', [usualAddress, 'latest'])
    return isHex(code) && keccak256(code) === usualCode ? usualAddress : undefined
  } catch {
    sender.reader.contracts.delete(chainId)
    return undefined
  }
}
