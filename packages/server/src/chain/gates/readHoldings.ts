import { hashCode } from '../../context/hashCode.ts'
import type { Chain, ContractCall, Hex } from '../nodes/Chain.ts'
import { nonsense, readHex, toQuantity } from '../nodes/quantities.ts'
import { encodeCall, findAddress, findUint, selectors } from '../reads/coding.ts'
import { getNativeBalances } from '../reads/getNativeBalances.ts'
import type { Gate, Wallet } from './Gate.ts'

export type Holding = { gate: Gate; wallet: Wallet; amount: bigint }

/**
 * What wallets hold of what gates ask for, all at one block. A contract that refuses the question is not held, and what
 * lies at a wallet whose proof holds no longer is not its user's; a node that does not answer is no answer, and this
 * throws.
 */
export async function readHoldings(
  chain: Chain,
  gates: readonly Gate[],
  wallets: readonly Wallet[],
  block: number,
): Promise<Holding[]> {
  const proven = await findProven(chain, wallets, block)
  const isProven = new Set(proven)
  const parts = await Promise.all(gates.map((gate) => readGateHoldings(chain, gate, proven, block)))
  const lost = wallets.filter((wallet) => !isProven.has(wallet))
  return [...parts.flat(), ...gates.flatMap((gate) => lost.map((wallet) => ({ gate, wallet, amount: 0n })))]
}

/**
 * Wallets whose proof still holds. A key pair's always does; a contract, or the delegate of a key pair (EIP-7702), was
 * proven by the code that the account had then: who lost the delegation can sign for it no longer.
 */
async function findProven(chain: Chain, wallets: readonly Wallet[], block: number): Promise<Wallet[]> {
  const asked = wallets.filter(({ hasCode, codeHash }) => hasCode && codeHash !== null)
  const answers = await chain.batch(
    asked.map(({ address }) => ({ method: 'eth_getCode', params: [address, toQuantity(block)] })),
  )
  const same = asked.filter(({ codeHash }, place) => {
    const answer = answers[place] ?? { error: nonsense('code') }
    if ('error' in answer) throw answer.error
    return hashCode(readHex(answer.result)) === codeHash
  })
  const found = new Set(same)
  return wallets.filter((wallet) => !wallet.hasCode || found.has(wallet))
}

async function readGateHoldings(
  chain: Chain,
  gate: Gate,
  wallets: readonly Wallet[],
  block: number,
): Promise<Holding[]> {
  const amounts = await readAmounts(
    chain,
    gate,
    wallets.map(({ address }) => address),
    block,
  )
  return wallets.map((wallet, place) => ({ gate, wallet, amount: amounts[place] ?? 0n }))
}

async function readAmounts(
  chain: Chain,
  { kind, token, id }: Gate,
  addresses: readonly Hex[],
  block: number,
): Promise<(bigint | undefined)[]> {
  if (kind === 'native' || !token) return (await getNativeBalances(chain, { addresses, block })).balances
  if (kind === 'erc721' && id !== null) {
    const [answer] = await chain.multicall([{ to: token, data: encodeCall(selectors.ownerOf, id) }], block)
    const owner = answer && findAddress(answer)
    return addresses.map((address) => (address === owner ? 1n : 0n))
  }
  const calls = addresses.map((address): ContractCall => {
    const data = id === null ? encodeCall(selectors.balanceOf, address) : encodeCall(selectors.balanceOfId, address, id)
    return { to: token, data }
  })
  return (await chain.multicall(calls, block)).map((result) => findUint(result))
}
