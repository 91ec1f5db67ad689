'use client'

import type { Abi, ContractEventName, Hex, TransactionReceipt, TypedData } from 'viem'
import type { ChainOptions } from '../../core/chain/ChainOptions.ts'
import type { ContractEvent, ContractEventsInput, WaitForReceiptInput } from '../../core/chain/FollowInputs.ts'
import { getBlockReading, getEventsReading, getReceiptReading } from '../../core/chain/followReadings.ts'
import type { SignTypedDataInput } from '../../core/chain/SignTypedDataInput.ts'
import { signTypedData } from '../../core/chain/signTypedData.ts'
import type { Callbacks, Result } from '../../core/client/runAction.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { Action, ActionState, RunOptions } from '../../core/readings/createMutation.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import { useClient } from '../client/useClient.ts'
import { useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

/** Milliseconds between two looks at a chain. */
const pause = 4_000

/**
 * Number of the latest block, read again every four seconds, or every `refetchInterval`; with 0 once.
 *
 * @example
 * const { data: block } = useBlockNumber({ chainId: 1 })
 */
export function useBlockNumber<Selected = bigint>(
  input?: ChainOptions,
  options?: ReadOptions<bigint, Selected>,
): UseAsync<Selected> {
  return useReading(getBlockReading(useClient(), input), { refetchInterval: pause, ...options })
}

/**
 * Receipt of a transaction, waited for; then contracts on show are read again. Nothing is read while there is no input.
 *
 * @example
 * const { sendTransaction, data } = useSendTransaction()
 * const receipt = useWaitForReceipt(data && { hash: data.hash })
 * return <p>{receipt.status === 'success' ? 'Paid' : receipt.error?.message}</p>
 */
export function useWaitForReceipt<Selected = TransactionReceipt>(
  input: WaitForReceiptInput | undefined,
  options?: ReadOptions<TransactionReceipt, Selected>,
): UseAsync<Selected> {
  return useReading(getReceiptReading(useClient(), input), {
    // A receipt does not change.
    staleTime: Number.POSITIVE_INFINITY,
    ...options,
    enabled: input !== undefined && options?.enabled !== false,
  })
}

/**
 * Events of a contract, decoded, the oldest first: from `fromBlock` on, and new ones every four seconds or every
 * `refetchInterval`. At most the newest 10,000. Nothing is read while there is no input.
 *
 * @example
 * const { data: transfers } = useContractEvents({ address, abi, eventName: 'Transfer', args: { to }, fromBlock: 19_000_000n })
 */
export function useContractEvents<
  const Interface extends Abi | readonly unknown[],
  const Name extends ContractEventName<Interface>,
  Selected = readonly ContractEvent<Interface, Name>[],
>(
  input: ContractEventsInput<Interface, Name> | undefined,
  options?: ReadOptions<readonly ContractEvent<Interface, Name>[], Selected>,
): UseAsync<Selected> {
  const reading: unknown = getEventsReading(useClient(), input as unknown as ContractEventsInput | undefined)
  return useReading(reading as Reading<readonly ContractEvent<Interface, Name>[]>, {
    // A range with an end is read once.
    refetchInterval: input?.toBlock === undefined ? pause : undefined,
    ...options,
    enabled: input !== undefined && options?.enabled !== false,
  })
}

export type UseSignTypedData = ActionState<Hex, ActionError<'signTypedData'>> & {
  readonly signTypedData: <
    const Types extends TypedData | Record<string, unknown>,
    Primary extends keyof Types | 'EIP712Domain',
    Given extends Callbacks<Hex, ActionError<'signTypedData'>> = Callbacks<Hex, ActionError<'signTypedData'>>,
  >(
    input: SignTypedDataInput<Types, Primary>,
    callbacks?: Given,
  ) => Promise<Result<Hex, Given>>
  readonly signTypedDataAsync: <
    const Types extends TypedData | Record<string, unknown>,
    Primary extends keyof Types | 'EIP712Domain',
  >(
    input: SignTypedDataInput<Types, Primary>,
    options?: RunOptions,
  ) => Promise<Hex>
  readonly reset: () => void
}

/**
 * Has the connected wallet sign typed data (EIP-712); call it on a click.
 *
 * @example
 * const { signTypedData, status } = useSignTypedData()
 * const order = {
 *   domain: { name: 'Shop', version: '1', chainId: 1 },
 *   types: { Order: [{ name: 'item', type: 'string' }] },
 *   primaryType: 'Order',
 *   message: { item: 'Lamp' },
 * } as const
 * <button onClick={() => signTypedData(order)}>Sign</button>
 */
export function useSignTypedData(): UseSignTypedData {
  return useAction('signTypedData', signTypedData as unknown as Action<SignTypedDataInput, Hex>) as UseSignTypedData
}
