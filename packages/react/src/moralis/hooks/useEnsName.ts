import { useClient } from '../../hooks/useClient.ts'
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
    const { createEns } = await import('../web3/createEns.ts')
    const { resolveName, getText } = createEns(client, provider)
    const [address, avatar, email, url] = await Promise.all([
      resolveName(ensName),
      ...['avatar', 'email', 'url'].map((key) => getText(ensName, key)),
    ])
    return { address: address ?? null, avatar: avatar ?? null, email: email ?? null, url: url ?? null }
  })
  return { ...(answer ?? nothing), isLoading, error }
}
