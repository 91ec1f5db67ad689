import type { Abi } from 'viem'
import type { FunctionName, Writes } from '../core/actions/readContract.ts'
import { type WriteContractInput, writeContract } from '../core/actions/writeContract.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { SentTransaction } from '../core/chain/ChainChoice.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseWriteContract = MutationState<SentTransaction> & {
  readonly writeContract: <
    const Interface extends Abi | readonly unknown[],
    const Name extends FunctionName<Interface, Writes>,
  >(
    input: WriteContractInput<Interface, Name>,
    callbacks?: Callbacks<SentTransaction>,
  ) => Promise<SentTransaction | undefined>
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
  const { state, run, reset } = useMutation<WriteContractInput, SentTransaction>(writeContract)
  return { ...state, writeContract: run as UseWriteContract['writeContract'], reset }
}
