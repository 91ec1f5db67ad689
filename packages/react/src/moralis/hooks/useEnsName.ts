import { useClient } from '../../hooks/useClient.ts'
import { loadOnChain } from '../web3/loadOnChain.ts'
import { useEns } from './useEns.ts'
import { useMoralis } from './useMoralis.ts'

const nothing = { address: null, avatar: null, email: null, url: null }

/**
 * What a name of ENS stands for, on the chain that the wallet is on.
 *
 * @example
 * const { address, avatar, isLoading } = useEnsName('vitalik.eth')
 */
export function useEnsName(ensName: string) {
  const { web3, provider } = useMoralis()
  const client = useClient()
  const { answer, isLoading, error } = useEns(ensName, web3, async () => {
    const { createEns } = await loadOnChain()
    return createEns(client, provider).describeName(ensName)
  })
  return { ...(answer ?? nothing), isLoading, error }
}
