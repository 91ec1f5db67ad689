import { useMemo, useSyncExternalStore } from 'react'
import type { Abi } from 'viem'
import type { FunctionAnswer, FunctionName, ReadContractInput } from '../core/actions/readContract.ts'
import { createContractReading } from '../core/chain/createContractReading.ts'
import type { ReadingState } from '../core/createReading.ts'
import { useClient } from './useClient.ts'
import type { UseReading } from './useReading.ts'

const pending = { status: 'pending' } as const

/**
 * What a contract answers, read by the connected wallet or by a provider of your own. It is read again when the wallet's
 * account or chain changes; nothing is read while there is no input.
 *
 * @example
 * const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
 * const balance = useReadContract({ address, abi, functionName: 'balanceOf', args: [owner] })
 * if (balance.status === 'success') return <p>{formatUnits(balance.data, 6)}</p>
 */
export function useReadContract<
  const Interface extends Abi | readonly unknown[],
  const Name extends FunctionName<Interface>,
>(input: ReadContractInput<Interface, Name> | undefined): UseReading<FunctionAnswer<Interface, Name>> {
  type Answer = FunctionAnswer<Interface, Name>
  const client = useClient()
  const key = writeKey(input)
  // By what it says and not by identity: most callers write a new object for each render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the rest of the input
  const reading = useMemo(() => createContractReading(client, input), [client, key, input?.provider])
  const state = useSyncExternalStore<ReadingState<Answer>>(reading.state.subscribe, reading.state.get, () => pending)
  return { ...state, refetch: reading.refetch }
}

/** Without the ABI, which is large and goes with the address. */
function writeKey<Interface extends Abi | readonly unknown[], Name extends FunctionName<Interface>>(
  input: ReadContractInput<Interface, Name> | undefined,
): string | undefined {
  const { provider: _provider, abi: _abi, ...rest } = input ?? {}
  return input && JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
