import type { Client } from '../../core/Client.ts'
import type { Eip1193Provider } from '../../core/wallet/Eip1193Provider.ts'
import type { Loose } from '../Loose.ts'
import { loadOnChain } from './loadOnChain.ts'
import type { MoralisSigner, MoralisWeb3Provider } from './MoralisWeb3Provider.ts'

const ofProvider =
  'send listAccounts getNetwork getBlockNumber getBalance getCode getStorageAt getTransactionCount getGasPrice getFeeData call estimateGas getBlock getLogs getTransaction getTransactionReceipt waitForTransaction resolveName lookupAddress'.split(
    ' ',
  )

const ofSigner =
  'getAddress getChainId getBalance getTransactionCount getGasPrice signMessage _signTypedData call estimateGas sendTransaction'.split(
    ' ',
  )

/**
 * The `web3` of the older context: an object in the shape of the Web3Provider of ethers 5, also for applications that
 * do not install ethers. What it does is loaded when it is first asked.
 */
export function createWeb3Provider(client: Client, wallet: Eip1193Provider): MoralisWeb3Provider {
  const ask =
    (name: string) =>
    async (...args: Loose[]): Promise<Loose> => {
      const { createAnswers } = await loadOnChain()
      return createAnswers(client, wallet)[name]?.(...args)
    }
  const methods: Loose = Object.fromEntries(ofProvider.map((name) => [name, ask(name)]))
  const web3: MoralisWeb3Provider = {
    ...methods,
    _isProvider: true,
    provider: wallet,
    detectNetwork: methods.getNetwork,
    getSigner: (which) => createSigner(which ?? 0),
  }

  function createSigner(which: string | number): MoralisSigner {
    const acts: Loose = Object.fromEntries(
      ofSigner.map((name) => [name, (...args: Loose[]) => ask(`signer ${name}`)(which, ...args)]),
    )
    return { ...acts, _isSigner: true, provider: web3, connect: () => createSigner(which) }
  }
  return web3
}
