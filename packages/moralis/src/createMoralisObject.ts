import { CountersignError, errorCodes } from '@countersign/protocol'
import type { Client } from '@countersign/react/core'
import type { Loose } from './Loose.ts'
import { defer, loadLater } from './loadLater.ts'
import { createParseKit } from './parse/createParseKit.ts'
import { MoralisAcl } from './parse/MoralisAcl.ts'
import { MoralisGeoPoint } from './parse/MoralisGeoPoint.ts'
import { requireKept } from './parse/requireKept.ts'
import { chainIds } from './web3/chains.ts'
import { createApis } from './web3/createApis.ts'
import { createWeb3Events } from './web3/createWeb3Events.ts'
import type { Web3State } from './web3/createWeb3Reader.ts'
import { units } from './web3/units.ts'

/** Properties that follow the state of the wallet. */
const shown = ['web3', 'provider', 'connector', 'connectorType', 'network', 'account', 'chainId'] as const

/** Type of `Moralis` from `useMoralis()`: the supported part of the older SDK, for one client. */
export type MoralisStatic = ReturnType<typeof createMoralisObject>

/** Creates the older SDK on top of the core. Its classes are there; its operations are loaded on first use. */
export function createMoralisObject(
  client: Client,
  readWeb3: (state: ReturnType<Client['wallet']['get']>) => Web3State,
) {
  const kit = createParseKit(client)
  const state = () => readWeb3(client.wallet.get())
  const load = async () => (await loadLater()).createSdkActs(kit, state)
  const { run, ...acts } = defer(load, [
    'run',
    'start',
    'isMetaMaskInstalled',
    'enableWeb3',
    'deactivateWeb3',
    'cleanup',
    'authenticate',
    'link',
    'unlink',
    'switchNetwork',
    'addNetwork',
    'executeFunction',
    'transfer',
  ])

  const moralis = {
    ...createWeb3Events(client, readWeb3),
    ...createApis(client, () => state().account),
    ...acts,
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
    Cloud: { run },

    get applicationId(): string | undefined {
      return client.internal.connection?.appId
    },
    get serverURL(): string | undefined {
      return client.internal.connection?.serverUrl
    },
    /** Checks that the client keeps documents on the device. */
    enableLocalDatastore: (): void => requireKept(client),
    isLocalDatastoreEnabled: (): boolean => client.internal.offline !== undefined,
    isWeb3Enabled: (): boolean => state().isWeb3Enabled,
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
    name.replaceAll(/[a-z](?=[A-Z])/g, '$&_').toUpperCase(),
    code,
  ])
  return Object.assign(ParseError, Object.fromEntries(codes))
}
