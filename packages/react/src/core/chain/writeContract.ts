import type { Abi } from 'viem'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SentTransaction } from './ChainOptions.ts'
import type { FunctionName, WriteContractInput, Writes } from './ContractInput.ts'

const loadSendCall = /*#__PURE__*/ loadOnce(() => import('./sendCall.ts'))

/**
 * Calls a function of a contract that changes something. It is simulated first: a call that would fail is rejected with
 * the contract's reason, before the wallet prompt and without a fee. Call it on a click.
 *
 * @example
 * const { hash, receipt } = (await writeContract(client, {
 *   address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
 *   abi: parseAbi(['function approve(address spender, uint256 amount) returns (bool)']),
 *   functionName: 'approve',
 *   args: ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 5n],
 *   wait: true,
 * })) ?? {}
 */
export function writeContract<
  const Interface extends Abi | readonly unknown[],
  const Name extends FunctionName<Interface, Writes>,
>(
  client: Client,
  input: WriteContractInput<Interface, Name>,
  { signal }: ActionOptions = {},
): Promise<SentTransaction> {
  return runAction(client, async () => {
    const { sendCall } = await loadSendCall()
    return sendCall(client, input as unknown as WriteContractInput, signal)
  })
}
