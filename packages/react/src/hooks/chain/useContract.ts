'use client'

import type { Abi } from 'viem'
import type { SentTransaction } from '../../core/chain/ChainOptions.ts'
import type {
  FunctionName,
  FunctionResult,
  ReadContractInput,
  Reads,
  WriteContractInput,
  Writes,
} from '../../core/chain/ContractInput.ts'
import { getContractReading } from '../../core/chain/contractReading.ts'
import { sendTransaction } from '../../core/chain/sendTransaction.ts'
import { sendTransfer } from '../../core/chain/sendTransfer.ts'
import { writeContract } from '../../core/chain/writeContract.ts'
import type { Callbacks, Result } from '../../core/client/runAction.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { Action, ActionState, RunOptions } from '../../core/readings/createMutation.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

/**
 * Reads a contract by the connected wallet, by a provider of your own, or by a node of the client's `chains` if the
 * wallet is on another chain or missing. Reads again when the wallet's account or chain changes, and nothing without an
 * input.
 *
 * @example
 * const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
 * const balance = useReadContract({ address, abi, functionName: 'balanceOf', args: [owner] })
 * if (balance.status === 'success') return <p>{formatUnits(balance.data, 6)}</p>
 */
export function useReadContract<
  const Interface extends Abi | readonly unknown[],
  const Name extends FunctionName<Interface, Reads>,
  Selected = FunctionResult<Interface, Name>,
>(
  input: ReadContractInput<Interface, Name> | undefined,
  options?: ReadOptions<FunctionResult<Interface, Name>, Selected>,
): UseAsync<Selected> {
  return useReading(getContractReading(useClient(), input), {
    ...options,
    enabled: input !== undefined && options?.enabled !== false,
  })
}

export type UseWriteContract = ActionState<SentTransaction, ActionError<'writeContract'>> & {
  readonly writeContract: <
    const Interface extends Abi | readonly unknown[],
    const Name extends FunctionName<Interface, Writes>,
    Given extends Callbacks<SentTransaction, ActionError<'writeContract'>> = Callbacks<
      SentTransaction,
      ActionError<'writeContract'>
    >,
  >(
    input: WriteContractInput<Interface, Name>,
    callbacks?: Given,
  ) => Promise<Result<SentTransaction, Given>>
  readonly writeContractAsync: <
    const Interface extends Abi | readonly unknown[],
    const Name extends FunctionName<Interface, Writes>,
  >(
    input: WriteContractInput<Interface, Name>,
    options?: RunOptions,
  ) => Promise<SentTransaction>
  readonly reset: () => void
}

/**
 * Calls a function of a contract that changes something; call it on a click.
 *
 * @example
 * const { writeContract, status } = useWriteContract()
 * <button onClick={() => writeContract({ address, abi, functionName: 'mint', args: [1n], wait: true })}>Mint</button>
 */
export function useWriteContract(): UseWriteContract {
  return useAction('writeContract', writeContract as Action<WriteContractInput, SentTransaction>) as UseWriteContract
}

export type UseSendTransaction = ActionHook<'sendTransaction', typeof sendTransaction>

/**
 * Has the wallet send a transaction; call it on a click.
 *
 * @example
 * const { sendTransaction, status } = useSendTransaction()
 * <button onClick={() => sendTransaction({ to, value: 10n ** 16n })}>Pay</button>
 */
export function useSendTransaction(): UseSendTransaction {
  return useAction('sendTransaction', sendTransaction)
}

export type UseSendTransfer = ActionHook<'sendTransfer', typeof sendTransfer>

/**
 * Sends coins or tokens; call it on a click.
 *
 * @example
 * const { sendTransfer, status } = useSendTransfer()
 * <button onClick={() => sendTransfer({ to, amount: parseEther('0.01') })}>Pay</button>
 */
export function useSendTransfer(): UseSendTransfer {
  return useAction('sendTransfer', sendTransfer)
}
