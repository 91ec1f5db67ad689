import type { Loose } from './Loose.ts'
import type { MoralisUser } from './parse/MoralisUser.ts'
import type { MoralisCallbacks } from './runCall.ts'
import type { MoralisWeb3Provider } from './web3/MoralisWeb3Provider.ts'
import type { AuthenticateOptions as AuthenticateInput, EnableOptions } from './web3/readConnector.ts'

export type AuthenticateOptions = AuthenticateInput & MoralisCallbacks<MoralisUser>
export type Web3EnableOptions = EnableOptions & MoralisCallbacks<MoralisWeb3Provider | undefined>
export type LoginOptions = MoralisCallbacks<MoralisUser> & { usePost?: boolean }
export type SetUserData = Record<string, Loose>

/** Operations of the older context. */
export interface ContextActs {
  authenticate: (options?: AuthenticateOptions) => Promise<MoralisUser | undefined>
  signup: (
    username: string,
    password: string,
    email?: string,
    otherFields?: SetUserData,
    options?: MoralisCallbacks<MoralisUser>,
  ) => Promise<MoralisUser | undefined>
  login: (username: string, password: string, options?: LoginOptions) => Promise<MoralisUser | undefined>
  logout: (options?: MoralisCallbacks<void>) => Promise<void>
  setUserData: (data: SetUserData, options?: MoralisCallbacks<MoralisUser>) => Promise<MoralisUser | undefined>
  refetchUserData: (options?: MoralisCallbacks<MoralisUser>) => Promise<MoralisUser | undefined>
  enableWeb3: (options?: Web3EnableOptions) => Promise<MoralisWeb3Provider | undefined>
  deactivateWeb3: () => Promise<void>
}
