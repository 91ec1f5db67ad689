import { initialize } from '../core/actions/initialize.ts'
import type { Client } from '../core/Client.ts'
import { createStore } from '../core/createStore.ts'
import type { ContextActs } from './createContextActs.ts'
import { createMoralisObject } from './createMoralisObject.ts'
import { defer } from './defer.ts'
import { ReactMoralisError } from './errors/ReactMoralisError.ts'
import { loadLater } from './loadLater.ts'
import type { MoralisContextValue } from './MoralisContext.ts'
import { createWeb3Reader, type Web3Library } from './web3/createWeb3Reader.ts'

/** What the older context tells beside the core's states. */
export type Progress = {
  readonly isLoggingOut: boolean
  readonly isUserUpdating: boolean
  readonly userError: Error | null
  readonly isWeb3EnableLoading: boolean
  readonly web3EnableError: Error | null
}

export const idle: Progress = {
  isLoggingOut: false,
  isUserUpdating: false,
  userError: null,
  isWeb3EnableLoading: false,
  web3EnableError: null,
}

type Actions = ContextActs & Pick<MoralisContextValue, 'initialize' | '_setUser'>

/** The older names over one client: `Moralis`, the operations of the context, and how they go. */
export function createMoralis(client: Client, library?: Web3Library) {
  const readWeb3 = createWeb3Reader(client, library)
  const Moralis = createMoralisObject(client, readWeb3)
  const progress = createStore(idle)
  const load = async () => (await loadLater()).createContextActs(client, Moralis, progress)

  const actions: Actions = {
    ...defer(load, [
      'authenticate',
      'signup',
      'login',
      'logout',
      'setUserData',
      'refetchUserData',
      'enableWeb3',
      'deactivateWeb3',
    ]),
    initialize({ appId, serverUrl } = {}) {
      const { options, initializing } = client.internal
      // It runs once; after a failure it runs anew.
      if (initializing) return
      const missing = appId || options.appId ? !(serverUrl || options.serverUrl) && 'serverUrl' : 'appId'
      if (missing) {
        throw new ReactMoralisError(
          `No ${missing} is provided. Please provide an ${missing} to the Moralis.Provider or as argument in initialize()`,
        )
      }
      // What fails is in the state, where it is seen and can be tried again.
      void initialize(client, { appId, serverUrl }, { throwOnError: false })
    },
    // The user is the session's; there is no other to put in its place.
    _setUser: () => undefined,
  }
  return { client, Moralis, actions, progress, readWeb3 }
}
