import type { Chain, ContractCall, Hex } from '../nodes/Chain.ts'
import { encodeCall, findAddress, findUint, selectors } from '../reads/coding.ts'
import { getNativeBalances } from '../reads/getNativeBalances.ts'
import type { Gate, Wallet } from './Gate.ts'

export type Holding = { gate: Gate; wallet: Wallet; amount: bigint }

/**
 * What wallets hold of what gates ask for, all at one block. A contract that refuses the question is not held; a node
 * that does not answer is no answer, and this throws.
 */
export async function readHoldings(
  chain: Chain,
  gates: readonly Gate[],
  wallets: readonly Wallet[],
  block: number,
): Promise<Holding[]> {
  const parts = await Promise.all(gates.map((gate) => readGateHoldings(chain, gate, wallets, block)))
  return parts.flat()
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
