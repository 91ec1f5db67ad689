import type { AppEndpointName, CountersignError } from '@countersign/protocol'
import type { Connection } from './Connection.ts'
import type { Queue } from './createQueue.ts'
import type { InitializationState } from './InitializationState.ts'
import type { InitialSession } from './InitialSession.ts'
import type { SessionState } from './SessionState.ts'
import type { Store, WritableStore } from './Store.ts'
import type { StorageAdapter, SyncStorage } from './SyncStorage.ts'
import type { CurrentSession } from './session/CurrentSession.ts'
import type { AccountMismatch } from './wallet/AccountMismatch.ts'
import type { Chain } from './wallet/Chain.ts'
import type { Connector } from './wallet/Connector.ts'
import type { Prompt } from './wallet/Prompt.ts'
import type { WalletParts } from './wallet/WalletParts.ts'
import type { WalletState } from './wallet/WalletState.ts'

export type ClientOptions = {
  appId?: string
  /** The address of the API with its mount, such as `https://example.org/server`. */
  serverUrl?: string
  javascriptKey?: string
  /** `auto` (default): the cookie where page and server share an origin, storage otherwise. */
  session?: 'auto' | 'cookie' | 'storage'
  /** Where the session is kept; `localStorage` by default, memory where there is none. Its answers may come later. */
  storage?: StorageAdapter
  fetch?: typeof globalThis.fetch
  /** Operations without `onError` throw; false by default. */
  throwOnError?: boolean
  /** How often a request is tried on network failures and 5xx answers; 5 by default (R25). */
  attemptLimit?: number
  /** Milliseconds after which one attempt counts as failed; 20,000 by default. */
  attemptTimeout?: number
  /** Wallets of the application's own choice, before those that are found in the browser. */
  connectors?: readonly Connector[]
  /** Chains that `switchChain` can tell a wallet of, and that the connector `network` reads. */
  chains?: readonly Chain[]
  /**
   * What becomes of the session when the wallet changes to another account. `ask` (default): one that is linked keeps
   * it, any other is shown in `mismatch`. `keepLinked`: one that is linked keeps it, any other ends it. `signOut`:
   * every change ends it. A change of chain never does.
   */
  onAccountChange?: 'ask' | 'keepLinked' | 'signOut'
  /** Offers the demo wallet, whose key lies open in the browser's storage; false by default. */
  demoWallet?: boolean
  /** What the server that rendered the page found out, by `getServerSession`: the page begins with it. */
  initialSession?: InitialSession
}

/** A plain object that actions take as their first argument. Make it with `createClient`. */
export type Client = {
  readonly session: Store<SessionState>
  readonly initialization: Store<InitializationState>
  /** The wallet in use. The first look at it, or at `connectors`, starts the wallet layer, which asks nobody anything. */
  readonly wallet: Store<WalletState>
  /** The wallets that can be picked now; it grows as wallets make themselves known. */
  readonly connectors: Store<readonly Connector[]>
  /** Set while the wallet is on an account that is not linked to the signed-in user. */
  readonly mismatch: Store<AccountMismatch | undefined>
  /** What actions work on; not for applications. */
  readonly internal: ClientInternal
}

export type ClientInternal = {
  readonly options: ClientOptions & {
    /** In place of `fetch`, while somebody looks on: the devtools. */
    observedFetch?: typeof globalThis.fetch
  }
  readonly session: WritableStore<SessionState>
  readonly initialization: WritableStore<InitializationState>
  readonly wallet: WritableStore<WalletState>
  /** What the state of the wallet is derived from. */
  walletParts: WalletParts
  readonly connectors: WritableStore<readonly Connector[]>
  readonly mismatch: WritableStore<AccountMismatch | undefined>
  /** Operations that change the session, and saves, run one after another. */
  readonly queue: Queue
  /** Readings that hooks share, by the endpoint they read. */
  readonly readings: Map<AppEndpointName, { readonly invalidate: () => void }>
  /** Told of every failure, while somebody looks on. */
  watchError?: (error: CountersignError) => void
  connection?: Connection
  current?: CurrentSession
  /** The state that the page was rendered with, and its user until the session is looked at. */
  readonly initialSession: SessionState
  rendered?: CurrentSession
  /** The wallet that is being asked; never two at once. */
  prompt?: Prompt
  initializing?: Promise<void>
  following?: Promise<void>
  watching?: boolean
  /** Shows the connectors that there are now; set once they are looked for. */
  showConnectors?: () => void
  /** Compares the wallet's account with the user's; set with the first wallet, for there is nothing to compare before. */
  showMismatch?: () => void
  /** The wallet layer's start, with its silent try to reconnect. */
  startingWallet?: Promise<void>
  reconnecting?: AbortController
  /** The storage that the wallet layer remembers by. */
  storage?: SyncStorage
  /** The account that the person chose to leave as it is. */
  keptAccount?: string
}
