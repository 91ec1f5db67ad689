import { useMemo } from 'react'
import type { SolanaApi, Web3Api } from '../web3/createApis.ts'
import { useMoralis } from './useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

/**
 * The on-chain data of the server, by group: `account`, `token`, `native` …
 *
 * @example
 * const { account } = useMoralisWeb3Api()
 * const { balance } = await account.getNativeBalance({ chain: 'polygon' })
 */
export function useMoralisWeb3Api(): Web3Api & { Web3API: Web3Api } {
  const { Web3API } = useMoralis().Moralis
  return useMemo(() => ({ Web3API, ...Web3API }), [Web3API])
}

/**
 * A call of `useMoralisWeb3Api` with its state.
 *
 * @example
 * const { account } = useMoralisWeb3Api()
 * const { fetch, data, error } = useMoralisWeb3ApiCall(account.getNFTs, { chain: 'eth' })
 */
export function useMoralisWeb3ApiCall<Params extends object, Result>(
  call: (params: Params) => Promise<Result>,
  params?: Params,
  { autoFetch = false }: UseResolveCallOptions = {},
): ResolveCall<Result | null, Params> {
  const { isInitialized } = useMoralis()
  return useResolveCall<Result | null, Params>({ call, initialData: null, params, autoFetch, isReady: isInitialized })
}

/**
 * Data of Solana, where the server has the functions.
 *
 * @example
 * const { account } = useMoralisSolanaApi()
 * const { solana } = await account.balance({ address: 'BWeBmN8zYDXgx2tnGj72cA533GZEWAVeqR9Eu29txaen' })
 */
export function useMoralisSolanaApi(): SolanaApi & { SolanaAPI: SolanaApi } {
  const { SolanaAPI } = useMoralis().Moralis
  return useMemo(() => ({ SolanaAPI, ...SolanaAPI }), [SolanaAPI])
}

/**
 * A call of `useMoralisSolanaApi` with its state.
 *
 * @example
 * const { account } = useMoralisSolanaApi()
 * const { fetch, data } = useMoralisSolanaCall(account.balance, { network: 'mainnet', address })
 */
export function useMoralisSolanaCall<Params extends object, Result>(
  call: (params: Params) => Promise<Result>,
  params?: Params,
  options: UseResolveCallOptions = {},
): ResolveCall<Result | null, Params> {
  return useMoralisWeb3ApiCall(call, params, options)
}
