import { CountersignError } from '@countersign/protocol'
import {
  type Client,
  connectWallet,
  disconnectWallet,
  initialize,
  runFunction,
  signInWithWallet,
  startWallet,
} from '@countersign/react/core'
import type { Attributes, Loose } from './Loose.ts'
import type { MoralisUser } from './parse/MoralisUser.ts'
import type { ParseKit } from './parse/ParseKit.ts'
import { unwrapValue, wrapValue } from './parse/wrapValue.ts'
import type { Web3State } from './web3/createWeb3Reader.ts'
import type { ExecuteFunctionInput } from './web3/executeFunction.ts'
import { linkAccount, unlinkAccount } from './web3/linkAccount.ts'
import { loadOnChain } from './web3/loadOnChain.ts'
import type { MoralisWeb3Provider } from './web3/MoralisWeb3Provider.ts'
import { type AuthenticateOptions, type EnableOptions, readConnector } from './web3/readConnector.ts'
import { addNetwork, type NetworkParts, switchNetwork } from './web3/switchNetwork.ts'
import type { Web3TransferInput } from './web3/transfer.ts'

const loud = { throwOnError: true } as const

/** Operations of `Moralis`. Large ones are loaded on first use. */
export function createSdkActs(kit: ParseKit, state: () => Web3State) {
  const client: Client = kit.client
  return {
    async run(name: string, params: Attributes = {}): Promise<Loose> {
      const answer = await runFunction(client, name, unwrapValue(params) as Attributes)
      return wrapValue(kit, answer)
    },

    async start(options: { appId?: string; serverUrl?: string; javascriptKey?: string } = {}): Promise<void> {
      const { appId, serverUrl, javascriptKey } = options
      await initialize(client, { appId, serverUrl, javascriptKey }, loud)
    },

    isMetaMaskInstalled: async (): Promise<boolean> =>
      typeof window !== 'undefined' && Boolean(Object(window).ethereum),

    async enableWeb3(options: EnableOptions = {}): Promise<MoralisWeb3Provider | undefined> {
      // On reload the wallet may be about to reconnect; a request would open its window for nothing.
      if (client.wallet.get().status === 'reconnecting') await startWallet(client)
      const isChosen = options.provider !== undefined || options.connector !== undefined
      if (!state().isWeb3Enabled || isChosen) {
        const chainId = options.chainId === undefined ? {} : { chainId: Number(options.chainId) }
        await connectWallet(client, { connector: readConnector(client, options), ...chainId }, loud)
      }
      return state().web3 ?? undefined
    },
    deactivateWeb3: (): Promise<void> => disconnectWallet(client, loud),
    cleanup: (): Promise<void> => disconnectWallet(client, loud),

    async authenticate(options: AuthenticateOptions = {}): Promise<MoralisUser> {
      const isChosen = options.provider !== undefined || options.connector !== undefined || options.type !== undefined
      const chosen = state().isWeb3Enabled && !isChosen ? {} : { connector: readConnector(client, options) }
      const user = await signInWithWallet(client, chosen, loud)
      if (user) return kit.toUser(user)
      throw new CountersignError('ObjectNotFound', 'Could not get user')
    },

    async link(account?: string): Promise<MoralisUser> {
      return kit.toUser(await linkAccount(client, account))
    },
    async unlink(account: string): Promise<MoralisUser> {
      return kit.toUser(await unlinkAccount(client, account))
    },

    async switchNetwork(chainId: string | number): Promise<void> {
      await switchNetwork(client, chainId)
    },
    async addNetwork(...network: NetworkParts): Promise<void> {
      await addNetwork(client, ...network)
    },

    async executeFunction(options: ExecuteFunctionInput): Promise<Loose> {
      const { executeFunction } = await loadOnChain()
      return executeFunction(client, options)
    },
    async transfer(options: Web3TransferInput): Promise<Loose> {
      const { transfer } = await loadOnChain()
      return transfer(client, options)
    },
  }
}
