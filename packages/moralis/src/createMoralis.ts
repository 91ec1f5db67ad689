import { createStore } from '@countersign/react/adapter'
import { type Client, initialize } from '@countersign/react/core'
import type { ContextActs } from './ContextActs.ts'
import type { Progress } from './createContextActs.ts'
import { createMoralisObject } from './createMoralisObject.ts'
import { ReactMoralisError } from './errors.ts'
import { defer, loadLater } from './loadLater.ts'
import type { MoralisContextValue } from './MoralisContext.ts'
import { createWeb3Reader, type Web3Library } from './web3/createWeb3Reader.ts'

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
      // It runs once; after a failure it runs again.
      if (initializing) return
      const missing = appId || options.appId ? !(serverUrl || options.serverUrl) && 'serverUrl' : 'appId'
      if (missing) {
        throw new ReactMoralisError(
          `No ${missing} is provided. Please provide an ${missing} to the Moralis.Provider or as argument in initialize()`,
        )
      }
      // Failures are in the state, where they are visible and can be retried.
      void initialize(client, { appId, serverUrl }, { throwOnError: false })
    },
    // The user is the session's; there is no other to put in its place.
    _setUser: () => undefined,
  }
  return { client, Moralis, actions, progress, readWeb3 }
}
