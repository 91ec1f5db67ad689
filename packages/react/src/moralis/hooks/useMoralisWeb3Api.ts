import { useMemo } from 'react'
import type { Web3Api } from '../web3/createApis.ts'
import { useMoralis } from './useMoralis.ts'

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
