import type { Loose } from '../Loose.ts'
import { useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

type ContractParams = { functionName: string; address?: string; abi: Loose; chain?: string; params?: Loose }

/**
 * Reads from a contract by the server, without a wallet.
 *
 * @example
 * const { runContractFunction, data } = useApiContract({ address, abi, functionName: 'totalSupply', chain: 'eth' })
 */
export function useApiContract(
  { functionName, address, abi, chain, params }: ContractParams,
  { autoFetch = false }: UseResolveCallOptions = {},
) {
  const call = useMoralis().Moralis.Web3API.native.runContractFunction
  const asked = { abi, params, function_name: functionName, ...(address && { address }), ...(chain && { chain }) }
  const { fetch, setData: _, chainId: __, ...state } = useAccountCall(call, asked, { autoFetch })
  return { runContractFunction: fetch, ...state }
}
