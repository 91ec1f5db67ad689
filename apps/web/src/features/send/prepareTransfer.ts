import { type Client, CountersignError, errorCodes } from '@countersign/react'
import { request } from '@countersign/react/core'
import { formatAmount } from '../../chain/Amount.tsx'
import { checksumAddress } from '../../chain/checksumAddress.ts'
import type { SentTransfer } from '../../chain/sentTransfers.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { judgeRecipient, readKnownAddresses, type Standing } from './knownAddresses.ts'
import { readAmount } from './readAmount.ts'
import type { SendAsset } from './SendAsset.ts'

/** Input of the form. */
export type Draft = { to: string; amount: string }

/** As much of the connected wallet as is needed before it is asked to sign. */
export type Sender = {
  account: string
  chainId: number | undefined
  request: (method: string, params: readonly unknown[]) => Promise<unknown>
}

export type Surroundings = {
  asset: SendAsset
  /** Currency of fees, and the account's balance. */
  native: { symbol: string; decimals: number }
  /** The chain that names are looked up on. */
  nameChain: number
  own: readonly string[]
  sent: readonly SentTransfer[]
}

/** A transfer that was checked and tried out; nothing of it is asked for again. */
export type Prepared = {
  asset: SendAsset
  amount: bigint
  from: string
  to: string
  toName?: string
  standing: Standing
  isContract: boolean
  /** Absent if the wallet does not report it. */
  fee?: bigint
  /** Balance left for fees. */
  nativeBalance: bigint
}

/** Problem at a field or for the whole form. `most` is an amount that would work. */
export type Refusal = { fields?: { to?: string; amount?: string }; message?: string; most?: bigint }

/** Checks a transfer and has a node try it out, before the wallet is asked for anything. */
export async function prepareTransfer(
  client: Client,
  sender: Sender,
  draft: Draft,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<{ prepared: Prepared } | { refusal: Refusal }> {
  const { asset, native } = surroundings
  const { chain, kind } = asset
  const amount = kind === 'erc721' ? 1n : readAmount(draft.amount, asset.decimals ?? 0)
  const fields: { to?: string; amount?: string } = {}
  if (typeof amount === 'string') fields.amount = describeAmount(amount, asset)
  const recipient = await findRecipient(client, draft.to, surroundings, signal)
  if ('problem' in recipient) fields.to = recipient.problem
  else {
    const problem = refuseRecipient(recipient.address, sender.account, asset)
    if (problem) fields.to = problem
  }
  if (typeof amount === 'string' || 'problem' in recipient || fields.to) return { refusal: { fields } }

  const id = { chain: String(chain), address: sender.account.toLowerCase() }
  const [nativeAnswer, balance, about, known] = await Promise.all([
    request(client, 'getNativeBalance', id, { signal }),
    readBalance(client, sender.account, asset, signal),
    request(client, 'getAddress', { chain: String(chain), address: recipient.address.toLowerCase() }, { signal }),
    readKnownAddresses(client, { chain, account: sender.account, ...surroundings }, signal),
  ])
  const nativeBalance = BigInt(nativeAnswer.result.balance)
  const available = kind === 'native' ? nativeBalance : balance
  if (amount > available) return { refusal: { fields: { amount: describeTooMuch(available, asset) } } }

  const to = recipient.address
  const failure = await tryByServer(client, { asset, amount, from: sender.account, to }, signal)
  if (failure) return { refusal: { message: t('This transfer would fail: {reason}', { reason: failure }) } }
  if (sender.chainId !== chain)
    return { refusal: { message: t('Switch your wallet to {chain} first.', { chain: asset.chainName }) } }

  const tried = await tryByWallet(sender, { asset, amount, to })
  if (typeof tried === 'string')
    return { refusal: { message: t('This transfer would fail: {reason}', { reason: tried }) } }
  const { fee } = tried
  const write = (wei: bigint) => `${formatAmount(wei, native.decimals).short} ${native.symbol}`
  if (fee !== undefined && kind === 'native' && amount + fee > nativeBalance) {
    const most = leaveFee(nativeBalance, fee)
    const refusal = t('The network fee is about {fee}. You can send up to {most}.', {
      fee: write(fee),
      most: write(most),
    })
    return { refusal: { fields: { amount: refusal }, ...(most > 0n && { most }) } }
  }
  if (fee !== undefined && kind !== 'native' && fee > nativeBalance) {
    const message = t('You need about {fee} for the network fee, and this wallet has {balance}.', {
      fee: write(fee),
      balance: write(nativeBalance),
    })
    return { refusal: { message } }
  }
  return {
    prepared: {
      asset,
      amount,
      from: checksumAddress(sender.account),
      to,
      ...(recipient.name !== undefined && { toName: recipient.name }),
      standing: judgeRecipient(to, known),
      isContract: about.result.isContract,
      ...(fee !== undefined && { fee }),
      nativeBalance,
    },
  }
}

/** Wallets set aside about twice what a fee is now, since prices may rise until the next block. */
export const leaveFee = (balance: bigint, fee: bigint) => (balance > 2n * fee ? balance - 2n * fee : 0n)

function describeAmount(problem: ReturnType<typeof readAmount>, { symbol, name, decimals = 0 }: SendAsset): string {
  if (problem === 'missing') return t('Enter an amount.')
  if (problem === 'zero') return t('Enter an amount above zero.')
  if (problem === 'decimals')
    return decimals === 0
      ? t('Enter a whole number.')
      : t('Too many decimal places. Maximum for {asset}: {count}.', {
          asset: symbol ?? name,
          count: decimals,
        })
  return t('Enter a number without thousands separators, such as 0.5.')
}

const describeTooMuch = (available: bigint, { decimals = 0, symbol }: SendAsset) =>
  t('You have {amount}.', { amount: `${formatAmount(available, decimals).short}${symbol ? ` ${symbol}` : ''}` })

type Recipient = { address: string; name?: string } | { problem: string }

const isAddress = (text: string) => /^0x[0-9a-f]{40}$/i.test(text)

/** Returns true if a text may be an ENS name: labels with dots between. */
export const isName = (text: string) => text.length <= 255 && /^[^\s./]+(\.[^\s./]+)+$/u.test(text)

async function findRecipient(
  client: Client,
  typed: string,
  { nameChain }: Surroundings,
  signal: AbortSignal,
): Promise<Recipient> {
  const text = typed.trim()
  if (text === '') return { problem: t('Enter an address or a name.') }
  if (isAddress(text)) {
    const letters = text.slice(2)
    const isChecked = letters !== letters.toLowerCase() && letters !== letters.toUpperCase()
    if (isChecked && checksumAddress(text) !== text)
      return { problem: t('This address has a typo: its capital letters don’t match. Copy it again.') }
    return { address: checksumAddress(text) }
  }
  if (!isName(text)) return { problem: t('Enter an address that starts with 0x, or a name such as ada.eth.') }
  try {
    const { result } = await request(client, 'resolveName', { chain: String(nameChain), name: text }, { signal })
    return { address: checksumAddress(result.address), name: result.name }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    if (error.code === errorCodes.ObjectNotFound) return { problem: t('No address is set for this name.') }
    if (error.code === errorCodes.CommandUnavailable)
      return { problem: t('Names can’t be looked up here. Enter the address.') }
    return { problem: translateError(error) }
  }
}

function refuseRecipient(to: string, from: string, { token }: SendAsset): string | undefined {
  const address = to.toLowerCase()
  if (/^0x0{40}$/.test(address)) return t('Nobody owns this address. What you send there is lost.')
  if (address === from.toLowerCase()) return t('This is the account you’re sending from.')
  if (address === token?.toLowerCase())
    return t('This is the contract of the token itself. What you send there is lost.')
  return undefined
}

async function readBalance(
  client: Client,
  account: string,
  { chain, kind, token = '', tokenId = '', balance }: SendAsset,
  signal: AbortSignal,
): Promise<bigint> {
  if (kind === 'native' || kind === 'erc721') return balance
  const input =
    kind === 'erc20'
      ? { abi: [readAbi('balanceOf', ['address'], ['uint256'])], function: 'balanceOf', params: [account] }
      : {
          abi: [readAbi('balanceOf', ['address', 'uint256'], ['uint256'])],
          function: 'balanceOf',
          params: [account, tokenId],
        }
  const { result } = await request(
    client,
    'callContract',
    { chain: String(chain), address: token, ...input },
    { signal },
  )
  return BigInt(String(result))
}

/** One function, as an ABI writes it. */
const readAbi = (name: string, inputs: readonly string[], outputs: readonly string[] = []) => ({
  type: 'function',
  name,
  stateMutability: 'nonpayable',
  inputs: inputs.map((type, place) => ({ name: `a${place}`, type })),
  outputs: outputs.map((type) => ({ name: '', type })),
})

type Trial = { asset: SendAsset; amount: bigint; from: string; to: string }

/** Result of the contract on the server's own node: a wallet may claim anything. */
async function tryByServer(client: Client, trial: Trial, signal: AbortSignal): Promise<string | undefined> {
  const { asset, from } = trial
  if (asset.kind === 'native') return undefined
  const [name, types, params] = callOf(trial)
  const input = { abi: [readAbi(name, types)], function: name, params, from, address: asset.token ?? '' }
  try {
    await request(client, 'callContract', { chain: String(asset.chain), ...input }, { signal })
    return undefined
  } catch (error) {
    if (!(error instanceof CountersignError) || error.reason !== 'callReverted') throw error
    return error.message.replace(/^The contract call reverted:? ?/, '') || t('the contract gave no reason')
  }
}

/** The call that moves a token or a collectible. */
function callOf({ asset, amount, from, to }: Trial): [string, string[], string[]] {
  const { kind, tokenId = '0' } = asset
  if (kind === 'erc721') return ['safeTransferFrom', ['address', 'address', 'uint256'], [from, to, tokenId]]
  if (kind === 'erc1155')
    return [
      'safeTransferFrom',
      ['address', 'address', 'uint256', 'uint256', 'bytes'],
      [from, to, tokenId, String(amount), '0x'],
    ]
  return ['transfer', ['address', 'uint256'], [to, String(amount)]]
}

const selectors = { erc20: 'a9059cbb', erc721: '42842e0e', erc1155: 'f242432a' }

/** The transaction for the wallet (without the parts it adds). */
function encodeTransfer({ asset, amount, from, to }: Trial): { to: string; data?: string; value?: string } {
  const { kind, token = '' } = asset
  if (kind === 'native') return { to, value: `0x${amount.toString(16)}` }
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const [, types, params] = callOf({ asset, amount, from, to })
  const words = types.map((type, place) =>
    // Its place is behind the five words; it is empty.
    type === 'bytes' ? word(160n) : word(BigInt(params[place] ?? 0)),
  )
  return { to: token, data: `0x${selectors[kind]}${words.join('')}${kind === 'erc1155' ? word(0n) : ''}` }
}

/** Cost, or the reason for a failure. */
async function tryByWallet(
  sender: Sender,
  { asset, amount, to }: Omit<Trial, 'from'>,
): Promise<{ fee?: bigint } | string> {
  const transaction = { from: sender.account, ...encodeTransfer({ asset, amount, from: sender.account, to }) }
  try {
    const [gas, price] = await Promise.all([
      sender.request('eth_estimateGas', [transaction]),
      sender.request('eth_gasPrice', []),
    ])
    return { fee: BigInt(String(gas)) * BigInt(String(price)) }
  } catch (error) {
    const { code, message } = Object(error) as { code?: unknown; message?: unknown }
    // Some wallets only send, and some nodes refuse to estimate an unaffordable transfer: the balance is known here.
    if (code === 4200 || code === -32_601 || /insufficient funds|doesn't have enough funds/i.test(String(message)))
      return asset.kind === 'native' ? estimateAlone(sender, to) : {}
    return firstLine(String(message))
  }
}

/** The fee of sending nothing, where sending all of it leaves no fee to estimate with. */
async function estimateAlone(sender: Sender, to: string): Promise<{ fee?: bigint }> {
  try {
    const gas = await sender.request('eth_estimateGas', [{ from: sender.account, to, value: '0x0' }])
    return { fee: BigInt(String(gas)) * BigInt(String(await sender.request('eth_gasPrice', []))) }
  } catch {
    return {}
  }
}

/** A contract writes what it likes: one line of it, as text. */
const firstLine = (text: string) => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200)
