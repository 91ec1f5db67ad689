import type { Abi } from 'viem'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { FunctionName, FunctionResult, ReadContractInput, Reads } from './ContractInput.ts'

const loadCallContract = /*#__PURE__*/ loadOnce(() => import('./callContract.ts'))

/**
 * Reads from a contract: by the connected wallet, by a provider of your own, or by a node of the client's `chains` if
 * the wallet is on another chain or missing. Nothing is sent, and no prompt opens.
 *
 * @example
 * const balance = await readContract(client, {
 *   address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *   abi: parseAbi(['function balanceOf(address owner) view returns (uint256)']),
 *   functionName: 'balanceOf',
 *   args: ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
 * })
 */
export function readContract<
  const Interface extends Abi | readonly unknown[],
  const Name extends FunctionName<Interface, Reads>,
>(
  client: Client,
  input: ReadContractInput<Interface, Name>,
  { signal }: ActionOptions = {},
): Promise<FunctionResult<Interface, Name>> {
  return runAction(client, async () => {
    const { callContract } = await loadCallContract()
    const answer = await callContract(client, input as unknown as ReadContractInput, signal)
    return answer as FunctionResult<Interface, Name>
  })
}
