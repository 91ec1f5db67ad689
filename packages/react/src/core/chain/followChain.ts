import type { Abi, ContractEventName, TransactionReceipt } from 'viem'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { ChainOptions } from './ChainOptions.ts'
import type { ContractEvent, ContractEventsInput, WaitForReceiptInput } from './FollowInputs.ts'

export const loadFollowing = /*#__PURE__*/ loadOnce(() => import('./followBodies.ts'))

/**
 * Number of the latest block.
 *
 * @example
 * const block = await getBlockNumber(client, { chainId: 1 })
 */
export function getBlockNumber(
  client: Client,
  input: ChainOptions = {},
  { signal }: ActionOptions = {},
): Promise<bigint> {
  return runAction(client, async () => (await loadFollowing()).readBlockNumber(client, input, signal))
}

/**
 * Waits until a transaction is on the chain, and returns its receipt. A transaction that its owner sped up is followed
 * to its replacement; a failed one rejects with the contract's reason.
 *
 * @example
 * const { blockNumber } = await waitForReceipt(client, { hash, chainId: 1 })
 */
export function waitForReceipt(
  client: Client,
  input: WaitForReceiptInput,
  { signal }: ActionOptions = {},
): Promise<TransactionReceipt> {
  return runAction(client, async () => (await loadFollowing()).awaitReceipt(client, input, signal))
}

/**
 * Past events of a contract, decoded, the oldest first. Without `fromBlock` those of the latest block.
 *
 * @example
 * const transfers = await getContractEvents(client, { address, abi, eventName: 'Transfer', fromBlock: 19_000_000n })
 */
export function getContractEvents<
  const Interface extends Abi | readonly unknown[],
  const Name extends ContractEventName<Interface>,
>(
  client: Client,
  input: ContractEventsInput<Interface, Name>,
  { signal }: ActionOptions = {},
): Promise<readonly ContractEvent<Interface, Name>[]> {
  return runAction(client, async () => {
    const { readEvents } = await loadFollowing()
    const events: readonly unknown[] = await readEvents(client, input as unknown as ContractEventsInput, signal)
    return events as readonly ContractEvent<Interface, Name>[]
  })
}
