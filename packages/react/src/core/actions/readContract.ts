import type { Abi, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { ChainChoice } from '../chain/ChainChoice.ts'
import { loadOnce } from '../loadOnce.ts'
import { runAction } from '../runAction.ts'

const loadCallContract = loadOnce(() => import('../chain/callContract.ts'))

/** A function by its name, or by `name(type,type)` where there are several of the name. */
export type FunctionName<Interface extends Abi | readonly unknown[]> =
  | ContractFunctionName<Interface>
  | `${string}(${string})`

/** In their order, or by their names. */
export type FunctionArgs<Interface extends Abi | readonly unknown[], Name extends string> =
  | (Name extends ContractFunctionName<Interface>
      ? ContractFunctionArgs<Interface, 'pure' | 'view' | 'nonpayable' | 'payable', Name>
      : readonly unknown[])
  | { readonly [name: string]: unknown }

export type FunctionAnswer<Interface extends Abi | readonly unknown[], Name extends string> =
  Name extends ContractFunctionName<Interface>
    ? ContractFunctionReturnType<Interface, 'pure' | 'view' | 'nonpayable' | 'payable', Name>
    : unknown

export type ReadContractInput<
  Interface extends Abi | readonly unknown[] = readonly unknown[],
  Name extends FunctionName<Interface> = FunctionName<Interface>,
> = ChainChoice & {
  readonly address: string
  readonly abi: Interface
  readonly functionName: Name
  readonly args?: FunctionArgs<Interface, Name>
  /** The number of a block, or `latest` (default), `pending`, `safe`, `finalized`, `earliest`. */
  readonly block?: bigint | number | 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'
}

/**
 * Reads from a contract, by the connected wallet or by a provider of your own. Nothing is sent and nobody is asked.
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
  const Name extends FunctionName<Interface>,
>(
  client: Client,
  input: ReadContractInput<Interface, Name>,
  callbacks: Callbacks<FunctionAnswer<Interface, Name>> = {},
): Promise<FunctionAnswer<Interface, Name> | undefined> {
  return runAction(client, callbacks, async () => {
    const { callContract } = await loadCallContract()
    const answer = await callContract(client, input as unknown as ReadContractInput, callbacks.signal)
    return answer as FunctionAnswer<Interface, Name>
  })
}
