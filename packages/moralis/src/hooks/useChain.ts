import { getChain } from '../web3/chains.ts'
import { useMoralis } from './useMoralis.ts'

/**
 * The chain of the wallet, and a function to switch it.
 *
 * @example
 * const { chain, switchNetwork } = useChain()
 * await switchNetwork('0x89')
 */
export function useChain() {
  const { Moralis, chainId, account, network, provider, connector, connectorType } = useMoralis()
  return {
    switchNetwork: (wanted: string): Promise<void> => Moralis.switchNetwork(wanted),
    chainId,
    chain: chainId ? getChain(chainId) : null,
    account,
    network,
    provider,
    connector,
    connectorType,
  }
}
