import type { Loose } from '../Loose.ts'
import type { ExecuteFunctionInput } from '../web3/executeFunction.ts'
import type { ResolveCall } from './useResolveCall.ts'
import { useWeb3ExecuteFunction } from './useWeb3ExecuteFunction.ts'

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
