import { useEns } from './useEns.ts'
import { useMoralis } from './useMoralis.ts'

/**
 * The name that an address goes by in ENS, on the chain that the wallet is on.
 *
 * @example
 * const { name, isLoading } = useEnsAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
 */
export function useEnsAddress(ensAddress: string) {
  const { web3 } = useMoralis()
  const { answer, isLoading, error } = useEns(
    ensAddress,
    web3,
    async () => (await web3?.lookupAddress(ensAddress)) ?? null,
  )
  return { name: answer, isLoading, error }
}
