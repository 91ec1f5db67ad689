import type { Abi } from 'viem'
import type { FunctionAnswer, FunctionName, ReadContractInput, Reads } from '../core/actions/readContract.ts'
import { getContractReading } from '../core/chain/getContractReading.ts'
import { type UseReading, useReading } from './useReading.ts'

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
  const Name extends FunctionName<Interface, Reads>,
>(input: ReadContractInput<Interface, Name> | undefined): UseReading<FunctionAnswer<Interface, Name>> {
  return useReading((client) => getContractReading(client, input))
}
