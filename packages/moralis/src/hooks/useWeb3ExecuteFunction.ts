import type { Loose } from '../Loose.ts'
import type { ExecuteFunctionInput } from '../web3/executeFunction.ts'
import { useMoralis } from './useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

/**
 * Calls a function of a contract: a view returns its value, anything else the transaction, with `wait()`.
 *
 * @example
 * const { fetch, data } = useWeb3ExecuteFunction({ contractAddress, abi, functionName: 'totalSupply' })
 */
export function useWeb3ExecuteFunction(
  params?: ExecuteFunctionInput,
  { autoFetch = false }: UseResolveCallOptions = {},
): ResolveCall<Loose, ExecuteFunctionInput> {
  const { Moralis, isWeb3Enabled, account, chainId } = useMoralis()
  return useResolveCall<Loose, ExecuteFunctionInput>({
    call: Moralis.executeFunction,
    initialData: null,
    params,
    autoFetch,
    isReady: isWeb3Enabled,
    key: [account, chainId],
  })
}

/**
 * Calls a function of a contract, when `runContractFunction` is called.
 *
 * @example
 * const { runContractFunction: enter } = useWeb3Contract({ contractAddress, abi, functionName: 'enter', msgValue: fee })
 * await enter({ onSuccess: (tx) => tx.wait(1) })
 */
export function useWeb3Contract(params?: ExecuteFunctionInput): {
  runContractFunction: ResolveCall<Loose, ExecuteFunctionInput>['fetch']
  data: Loose
  error: Error | null
  isFetching: boolean
  isLoading: boolean
} {
  const { fetch, setData: _, ...state } = useWeb3ExecuteFunction(params)
  return { runContractFunction: fetch, ...state }
}
