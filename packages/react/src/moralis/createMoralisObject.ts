import { CountersignError, errorCodes } from '@countersign/protocol'
import { authenticate } from '../core/actions/authenticate.ts'
import { connectWallet } from '../core/actions/connectWallet.ts'
import { disconnectWallet } from '../core/actions/disconnectWallet.ts'
import { initialize } from '../core/actions/initialize.ts'
import { startWallet } from '../core/actions/startWallet.ts'
import type { Client } from '../core/Client.ts'
import { runFunction } from '../core/functions/runFunction.ts'
import type { Attributes, Loose } from './Loose.ts'
import { createParseKit } from './parse/createParseKit.ts'
import { MoralisAcl } from './parse/MoralisAcl.ts'
import { MoralisGeoPoint } from './parse/MoralisGeoPoint.ts'
import type { MoralisUser } from './parse/MoralisUser.ts'
import { unwrapValue } from './parse/unwrapValue.ts'
import { wrapValue } from './parse/wrapValue.ts'
import type { NetworkParts } from './web3/addNetwork.ts'
import { chainIds } from './web3/chainIds.ts'
import { createApis } from './web3/createApis.ts'
import { createWeb3Events } from './web3/createWeb3Events.ts'
import type { Web3State } from './web3/createWeb3Reader.ts'
import type { ExecuteFunctionInput } from './web3/executeFunction.ts'
import type { MoralisWeb3Provider } from './web3/MoralisWeb3Provider.ts'
import type { AuthenticateOptions, EnableOptions } from './web3/readConnector.ts'
import type { Web3TransferInput } from './web3/transfer.ts'
import { units } from './web3/units.ts'

const loud = { throwOnError: true }

/** What it tells of the wallet as it is at the time. */
const shown = ['web3', 'provider', 'connector', 'connectorType', 'network', 'account', 'chainId'] as const

/** What `useMoralis()` gives as `Moralis`: what is kept of the older SDK, for one client. */
export type MoralisStatic = ReturnType<typeof createMoralisObject>

/** What the older SDK was, over the core. Large things are loaded when they are first used. */
export function createMoralisObject(
  client: Client,
  readWeb3: (state: ReturnType<Client['wallet']['get']>) => Web3State,
) {
  const kit = createParseKit(client)
  const state = () => readWeb3(client.wallet.get())

  const moralis = {
    ...createWeb3Events(client, readWeb3),
    ...createApis(client, () => state().account),
    Object: kit.Object,
    User: kit.User,
    Role: kit.Role,
    Query: kit.Query,
    File: kit.File,
    ACL: MoralisAcl,
    GeoPoint: MoralisGeoPoint,
    Error: createErrorClass(),
    Units: units,
    Chains: chainIds,
    Cloud: {
      async run(name: string, params: Attributes = {}): Promise<Loose> {
        const answer = await runFunction(client, name, unwrapValue(params) as Attributes, loud)
        return wrapValue(kit, answer)
      },
    },

    get applicationId(): string | undefined {
      return client.internal.connection?.appId
    },
    get serverURL(): string | undefined {
      return client.internal.connection?.serverUrl
    },
    async start(options: { appId?: string; serverUrl?: string; javascriptKey?: string } = {}): Promise<void> {
      const { appId, serverUrl, javascriptKey } = options
      await initialize(client, { appId, serverUrl, javascriptKey }, loud)
    },
    isWeb3Enabled: (): boolean => state().isWeb3Enabled,
    isMetaMaskInstalled: async (): Promise<boolean> =>
      typeof window !== 'undefined' && Boolean(Object(window).ethereum),

    async enableWeb3(options: EnableOptions = {}): Promise<MoralisWeb3Provider | undefined> {
      // On reload the wallet may be about to come back by itself; asking meanwhile would open its window for nothing.
      if (client.wallet.get().status === 'reconnecting') await startWallet(client)
      const isChosen = options.provider !== undefined || options.connector !== undefined
      if (!state().isWeb3Enabled || isChosen) {
        const { readConnector } = await import('./web3/readConnector.ts')
        const chainId = options.chainId === undefined ? {} : { chainId: Number(options.chainId) }
        await connectWallet(client, { connector: readConnector(client, options), ...chainId }, loud)
      }
      return state().web3 ?? undefined
    },
    deactivateWeb3: (): Promise<void> => disconnectWallet(client, loud),
    cleanup: (): Promise<void> => disconnectWallet(client, loud),

    async authenticate(options: AuthenticateOptions = {}): Promise<MoralisUser> {
      const isChosen = options.provider !== undefined || options.connector !== undefined || options.type !== undefined
      const { readConnector } = await import('./web3/readConnector.ts')
      const chosen = state().isWeb3Enabled && !isChosen ? {} : { connector: readConnector(client, options) }
      const user = await authenticate(client, chosen, loud)
      if (user) return kit.toUser(user)
      throw new CountersignError('ObjectNotFound', 'Could not get user')
    },

    async link(account?: string): Promise<MoralisUser> {
      const { linkAccount } = await import('./web3/linkAccount.ts')
      return kit.toUser(await linkAccount(client, account))
    },
    async unlink(account: string): Promise<MoralisUser> {
      const { unlinkAccount } = await import('./web3/linkAccount.ts')
      return kit.toUser(await unlinkAccount(client, account))
    },

    async switchNetwork(chainId: string | number): Promise<void> {
      const { switchNetwork } = await import('./web3/switchNetwork.ts')
      await switchNetwork(client, chainId)
    },
    async addNetwork(...network: NetworkParts): Promise<void> {
      const { addNetwork } = await import('./web3/addNetwork.ts')
      await addNetwork(client, ...network)
    },

    async executeFunction(options: ExecuteFunctionInput): Promise<Loose> {
      const { executeFunction } = await import('./web3/executeFunction.ts')
      return executeFunction(client, options)
    },
    async transfer(options: Web3TransferInput): Promise<Loose> {
      const { transfer } = await import('./web3/transfer.ts')
      return transfer(client, options)
    },
  }
  for (const name of shown) Object.defineProperty(moralis, name, { get: () => state()[name], enumerable: true })
  return Object.assign(moralis as typeof moralis & Pick<Web3State, (typeof shown)[number]>, { Web3: moralis })
}

/** `Moralis.Error`: every error of this package is one; its codes have the older names, such as `INVALID_SESSION_TOKEN`. */
function createErrorClass(): typeof CountersignError & Record<string, Loose> {
  class ParseError extends CountersignError {
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(CountersignError, value)
    }
  }
  const codes = Object.entries(errorCodes).map(([name, code]) => [
    name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
    code,
  ])
  return Object.assign(ParseError, Object.fromEntries(codes))
}
