import { initialize } from '../core/actions/initialize.ts'
import { logIn } from '../core/actions/logIn.ts'
import { logOut } from '../core/actions/logOut.ts'
import { refetchUser } from '../core/actions/refetchUser.ts'
import { saveUser } from '../core/actions/saveUser.ts'
import { signUp } from '../core/actions/signUp.ts'
import type { Client } from '../core/Client.ts'
import { createStore } from '../core/createStore.ts'
import type { User } from '../core/User.ts'
import { createMoralisObject } from './createMoralisObject.ts'
import { ReactMoralisError } from './errors/ReactMoralisError.ts'
import { toMoralisError } from './errors/toMoralisError.ts'
import type { Loose } from './Loose.ts'
import type { MoralisContextValue } from './MoralisContext.ts'
import type { MoralisUser } from './parse/MoralisUser.ts'
import { unwrapValue } from './parse/unwrapValue.ts'
import { runCall } from './runCall.ts'
import { createWeb3Reader, type Web3Library } from './web3/createWeb3Reader.ts'

const loud = { throwOnError: true }

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

type Actions = Pick<
  MoralisContextValue,
  | 'initialize'
  | 'authenticate'
  | 'signup'
  | 'login'
  | 'logout'
  | 'setUserData'
  | 'refetchUserData'
  | '_setUser'
  | 'enableWeb3'
  | 'deactivateWeb3'
>

/** The older names over one client: `Moralis`, the operations of the context, and how they go. */
export function createMoralis(client: Client, library?: Web3Library) {
  const readWeb3 = createWeb3Reader(client, library)
  const Moralis = createMoralisObject(client, readWeb3)
  const progress = createStore(idle)
  const move = (changes: Partial<Progress>) => progress.set({ ...progress.get(), ...changes })
  const toUser = (user: User): MoralisUser => Moralis.User.current() ?? Moralis.User.createWithoutData(user.objectId)

  async function require(answer: Promise<User | undefined>): Promise<MoralisUser> {
    const user = await answer
    if (user) return toUser(user)
    throw new ReactMoralisError('Could not get user')
  }

  /** Shows that it is under way, and what it failed of. */
  async function show<Data>(
    flag: 'isUserUpdating' | 'isWeb3EnableLoading',
    error: 'userError' | 'web3EnableError',
    act: () => Promise<Data>,
  ): Promise<Data> {
    move({ [flag]: true, [error]: null })
    try {
      return await act()
    } catch (cause) {
      const failure = toMoralisError(cause)
      move({ [error]: failure })
      throw failure
    } finally {
      move({ [flag]: false })
    }
  }

  const actions: Actions = {
    initialize({ appId, serverUrl } = {}) {
      const { options, initializing } = client.internal
      // It runs once; after a failure it runs anew.
      if (initializing) return
      for (const [name, value] of Object.entries({
        appId: appId || options.appId,
        serverUrl: serverUrl || options.serverUrl,
      })) {
        if (value) continue
        const words = `No ${name} is provided. Please provide an ${name} to the Moralis.Provider or as argument in initialize()`
        throw new ReactMoralisError(words)
      }
      // What fails is in the state, where it is seen and can be tried again.
      void initialize(client, { appId, serverUrl }, { throwOnError: false })
    },
    async authenticate({ onSuccess, onError, onComplete, throwOnError, ...options } = {}) {
      return runCall({ onSuccess, onError, onComplete, throwOnError }, async () => {
        move({ isWeb3EnableLoading: true })
        try {
          return await Moralis.authenticate(options)
        } finally {
          move({ isWeb3EnableLoading: false })
        }
      })
    },
    signup(username, password, email, otherFields = {}, options = {}) {
      const fields = {
        ...(unwrapValue(otherFields) as Loose),
        username,
        password,
        ...(email !== undefined && { email }),
      }
      return runCall(options, () => require(signUp(client, fields, loud)))
    },
    login(username, password, { usePost, ...options } = {}) {
      return runCall(options, () => require(logIn(client, { username, password, usePost }, loud)))
    },
    async logout(options = {}) {
      await runCall(options, async () => {
        move({ isLoggingOut: true })
        try {
          await logOut(client, loud)
          const { forgetConnection } = await import('./web3/forgetConnection.ts')
          forgetConnection(client)
        } finally {
          move({ isLoggingOut: false })
        }
      })
    },
    setUserData(data, options = {}) {
      const changes = unwrapValue(data) as Loose
      return runCall(options, () => show('isUserUpdating', 'userError', () => require(saveUser(client, changes, loud))))
    },
    refetchUserData(options = {}) {
      return runCall(options, () => show('isUserUpdating', 'userError', () => require(refetchUser(client, loud))))
    },
    // The user is the session's; there is no other to put in its place.
    _setUser: () => undefined,
    async enableWeb3({ onSuccess, onError, onComplete, throwOnError, ...options } = {}) {
      return runCall({ onSuccess, onError, onComplete, throwOnError }, () =>
        show('isWeb3EnableLoading', 'web3EnableError', () => Moralis.enableWeb3(options)),
      )
    },
    async deactivateWeb3() {
      await runCall({}, () => Moralis.deactivateWeb3())
    },
  }
  return { client, Moralis, actions, progress, readWeb3 }
}
