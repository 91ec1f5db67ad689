import { useMemo } from 'react'
import type { SolanaApi } from '../web3/createApis.ts'
import { useMoralis } from './useMoralis.ts'

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
