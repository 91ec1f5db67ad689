import { loadWalletLayer, type WritableStore } from '@countersign/react/adapter'
import {
  type Client,
  refetchUser,
  saveUser,
  signInWithPassword,
  signOut,
  signUp,
  type User,
} from '@countersign/react/core'
import type { ContextActs } from './ContextActs.ts'
import type { createSdkActs } from './createSdkActs.ts'
import { ReactMoralisError, toMoralisError } from './errors.ts'
import type { Loose } from './Loose.ts'
import type { MoralisUser, MoralisUserClass } from './parse/MoralisUser.ts'
import { unwrapValue } from './parse/wrapValue.ts'
import { runCall } from './runCall.ts'

/** State of the older context besides the core's. */
export type Progress = {
  readonly isLoggingOut: boolean
  readonly isUserUpdating: boolean
  readonly userError: Error | null
  readonly isWeb3EnableLoading: boolean
  readonly web3EnableError: Error | null
}

const loud = { throwOnError: true } as const

/** The parts of `Moralis` that the context calls. */
type Host = Pick<ReturnType<typeof createSdkActs>, 'authenticate' | 'enableWeb3' | 'deactivateWeb3'> & {
  readonly User: MoralisUserClass
}

/** Operations of the older context; `progress` shows their state. */
export function createContextActs(client: Client, Moralis: Host, progress: WritableStore<Progress>): ContextActs {
  const move = (changes: Partial<Progress>) => progress.set({ ...progress.get(), ...changes })
  const toUser = (user: User): MoralisUser => Moralis.User.current() ?? Moralis.User.createWithoutData(user.objectId)

  async function require(answer: Promise<User | undefined>): Promise<MoralisUser> {
    const user = await answer
    if (user) return toUser(user)
    throw new ReactMoralisError('Could not get user')
  }

  /** Shows progress and failure. */
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

  return {
    authenticate({ onSuccess, onError, onComplete, throwOnError, ...options } = {}) {
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
      return runCall(options, () => require(signInWithPassword(client, { username, password, usePost }, loud)))
    },
    async logout(options = {}) {
      await runCall(options, async () => {
        move({ isLoggingOut: true })
        try {
          await signOut(client, loud)
          const { leaveWallet } = await loadWalletLayer()
          leaveWallet(client)
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
    enableWeb3({ onSuccess, onError, onComplete, throwOnError, ...options } = {}) {
      return runCall({ onSuccess, onError, onComplete, throwOnError }, () =>
        show('isWeb3EnableLoading', 'web3EnableError', () => Moralis.enableWeb3(options)),
      )
    },
    async deactivateWeb3() {
      await runCall({}, () => Moralis.deactivateWeb3())
    },
  }
}
