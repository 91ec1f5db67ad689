import type { Client } from '../../core/Client.ts'
import type { Eip1193Provider } from '../../core/wallet/Eip1193Provider.ts'
import type { Loose } from '../Loose.ts'
import type { MoralisSigner, MoralisWeb3Provider } from './MoralisWeb3Provider.ts'

const ofProvider = [
  'send',
  'listAccounts',
  'getNetwork',
  'getBlockNumber',
  'getBalance',
  'getCode',
  'getStorageAt',
  'getTransactionCount',
  'getGasPrice',
  'getFeeData',
  'call',
  'estimateGas',
  'getBlock',
  'getLogs',
  'getTransaction',
  'getTransactionReceipt',
  'waitForTransaction',
  'resolveName',
  'lookupAddress',
] as const

/**
 * The `web3` of the older context: an object in the shape of the Web3Provider of ethers 5, also for applications that
 * do not install ethers. What it does is loaded when it is first asked.
 */
export function createWeb3Provider(client: Client, wallet: Eip1193Provider): MoralisWeb3Provider {
  const ask =
    (name: string) =>
    async (...args: Loose[]): Promise<Loose> => {
      const { createAnswers } = await import('./createAnswers.ts')
      const answers: Record<string, (...args: Loose[]) => unknown> = createAnswers(client, wallet)
      return answers[name]?.(...args)
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
    const getAddress = () => ask('getAddress')(which)
    const asSender = async (transaction: Loose) => ({ from: await getAddress(), ...transaction })
    return {
      _isSigner: true,
      provider: web3,
      getAddress,
      getChainId: async () => (await web3.getNetwork()).chainId,
      getBalance: async (block) => web3.getBalance(await getAddress(), block),
      getTransactionCount: async (block) => web3.getTransactionCount(await getAddress(), block),
      getGasPrice: web3.getGasPrice,
      signMessage: async (message) => ask('signMessage')(message, await getAddress()),
      _signTypedData: async (...parts) => ask('signTypedData')(await getAddress(), ...parts),
      call: async (transaction, block) => web3.call(await asSender(transaction), block),
      estimateGas: async (transaction) => web3.estimateGas(await asSender(transaction)),
      sendTransaction: async (transaction) => ask('sendTransaction')(await asSender(transaction)),
      connect: () => createSigner(which),
    }
  }
  return web3
}
