import type { CountersignError, WireChanges, WireFields } from '@countersign/protocol'
import type { AsyncState } from '../state/AsyncState.ts'
import type { ChainReader } from '../state/ChainReader.ts'
import type { Chain, Connector } from '../state/Connector.ts'
import type { Queue } from '../state/createQueue.ts'
import type { Store, WritableStore } from '../state/createStore.ts'
import type { LiveSocket, LiveState } from '../state/LiveWire.ts'
import type { Recorder } from '../state/Recording.ts'
import type { Recovery } from '../state/Recovery.ts'
import type { SessionState } from '../state/SessionState.ts'
import type {
  AccountMismatch,
  PreparedChallenges,
  SignedAhead,
  WalletParts,
  WalletState,
} from '../state/WalletState.ts'
import type { UserFields } from '../values/decode.ts'
import type { User } from '../values/User.ts'

export type ClientOptions = {
  appId?: string
  /** The address of the API with its mount, such as `https://example.org/server`. */
  serverUrl?: string
  javascriptKey?: string
  /** `auto` (default): the cookie where page and server share an origin, storage otherwise. */
  session?: 'auto' | 'cookie' | 'storage'
  /** Storage of the session; `localStorage` by default, memory if there is none. It may be asynchronous. */
  storage?: StorageAdapter
  fetch?: typeof globalThis.fetch
  /** Operations without `onError` throw; false by default. */
  throwOnError?: boolean
  /** How often a request is tried on network failures and 5xx responses; 5 by default. */
  attemptLimit?: number
  /** Milliseconds after which one attempt counts as failed; 20,000 by default. */
  attemptTimeout?: number
  /** Wallets of the application's own choice, before those that are found in the browser. */
  connectors?: readonly Connector[]
  /** Paymaster URLs (ERC-7677) by chain: the wallet is asked to let them pay for calls of `sendCalls`. */
  paymasters?: { readonly [chainId: number]: string }
  /**
   * Batches of contract reads. By default reads of one moment are one call to Multicall3 at its usual address, if the
   * code there is the known one. By chain: another Multicall3, which you trust, or `false`. `false`: no batches.
   */
  multicall?: false | { readonly [chainId: number]: `0x${string}` | false }
  /** Chains that `switchChain` can add to a wallet, and that the connector `network` reads. */
  chains?: readonly Chain[]
  /**
   * Effect of an account change in the wallet on the session. `ask` (default): a linked account keeps it, any other is
   * shown in `mismatch`. `keepLinked`: a linked account keeps it, any other ends it. `signOut`: every change ends it. A
   * change of chain never does.
   */
  onAccountChange?: 'ask' | 'keepLinked' | 'signOut'
  /** Offers the demo wallet, whose key lies open in the browser's storage; false by default. */
  demoWallet?: boolean
  /** Chains of the demo wallet with their nodes; those of `chains` by default. It starts on the first. */
  demoChains?: readonly Pick<Chain, 'id' | 'rpcUrls'>[]
  /** Calls the listener when the application is seen again, for `refetchOnFocus`; the page's own event by default. */
  watchFocus?: (listener: () => void) => () => void
  /** Read options of every hook, unless it has its own: `{ staleTime: 5_000, refetchOnFocus: true }`. */
  readDefaults?: ReadDefaults
  /** Session found by the rendering server with `getServerSession`: the page starts with it. */
  initialSession?: InitialSession
  /** Keeps documents on the device, and writes until they are sent: `offline({ classes: ['Note'] })`. */
  offline?: (client: Client) => void
  /** Data read by the rendering server, from `dehydrate`. */
  initialReadings?: { readonly reader: string; readonly data: readonly (readonly [string, unknown])[] }
}

/** A write of a document, ready to be sent. Without `objectId` it makes one; without `fields` it deletes one. */
export type PreparedWrite = {
  readonly className: string
  readonly objectId?: string
  readonly fields?: (WireFields & WireChanges) | undefined
}

/** Documents on the device; made by `@countersign/react/offline`. */
export type Offline = {
  /** Reading of a query over classes on the device, or of a result that is kept; undefined for others. */
  readonly createReading: (asked: object, key: string, create: () => unknown) => unknown
  readonly keeps: (className: string) => boolean
  /** Puts writes on disk; returns the documents as they are shown. With `transaction` all of them are sent as one. */
  readonly queue: (writes: readonly PreparedWrite[], transaction?: boolean) => Promise<readonly unknown[]>
  /**
   * Called before the user signs out. Rejects if the application keeps the user for unsent writes. Returns a function to
   * call afterwards, which resolves when nothing of the user is on the device.
   */
  readonly leave: () => Promise<() => Promise<void>>
}

export type ReadDefaults = {
  readonly keepPrevious?: boolean
  readonly staleTime?: number
  readonly refetchInterval?: number
  readonly refetchOnFocus?: boolean
  readonly refetchOnReconnect?: boolean
  readonly retry?: number
}

/** A plain object that actions take as their first argument. Make it with `createClient`. */
export type Client = {
  readonly session: Store<SessionState>
  readonly initialization: Store<InitializationState>
  /** The wallet in use. The first access to it, or to `connectors`, starts the wallet layer, without a prompt. */
  readonly wallet: Store<WalletState>
  /** The wallets that can be picked now; it grows as wallets make themselves known. */
  readonly connectors: Store<readonly Connector[]>
  /** Set while the wallet is on an account that is not linked to the signed-in user. */
  readonly mismatch: Store<AccountMismatch | undefined>
  /** Internals for actions; not for applications. */
  readonly internal: ClientInternal
}

/** A reading that components share; made by `defineReading`. */
export type SharedReading = {
  readonly asked: object
  readonly reading: {
    readonly peek: Store<AsyncState<unknown>>
    readonly invalidate: () => void
    readonly age: () => number
    readonly patch: (change: (data: unknown) => unknown) => void
  }
  /** Data without changes that wait for the server. */
  readonly base: () => unknown
  /** How many components are subscribed, those with `enabled: false` included. */
  watchers: number
  /** A component was subscribed once. */
  isSeen?: boolean
  /** Promise of a suspended component. */
  waiting?: Promise<void> | undefined
  /** The error that was thrown to an error boundary: a render after it asks again. */
  thrown?: unknown
  /** No component came for it since the last sweep. */
  isOld?: boolean
}

/** A change that waits for the server; without `changes` the document is deleted. */
export type PendingChange = { readonly key: object; readonly changes: (WireFields & WireChanges) | undefined }

/** Changes of a document that are shown before the server has responded. */
export type DocumentEdit = {
  readonly className: string
  readonly objectId: string
  /** Reader who made them; they are hidden from others. */
  readonly reader: string | undefined
  /** The document without them. Data read in between may include some already. */
  readonly origin: object | undefined
  /** Oldest first. */
  readonly queue: readonly PendingChange[]
  /** The document is being made, and has a temporary id. */
  readonly isNew: boolean
  /** Documents of the class that were known when a new one was begun: none of them is the new one. */
  readonly known?: ReadonlySet<string> | undefined
}

/** Sending of requests, and their order. */
type RequestFields = {
  readonly options: ClientOptions & {
    /** In place of `fetch`, while somebody looks on: the devtools. */
    observedFetch?: typeof globalThis.fetch
    /** Sent along where an account may be made; see `acceptInvitation`. */
    invitation?: string | undefined
  }
  connection?: Connection
  readonly initialization: WritableStore<InitializationState>
  initializing?: Promise<void>
  /** The storage that the wallet layer remembers by. */
  storage?: SyncStorage
  /** Operations that change the session, and saves, run one after another. */
  readonly queue: Queue
  /** Asks for one challenge at a time. */
  readonly challenges: Queue
  /** End of the last request that may have written, as `performance.now()`. At first, the start: a page may be a reload. */
  wroteAt: number
}

/** Session of this tab and the other tabs. */
type SessionFields = {
  readonly session: WritableStore<SessionState>
  current?: CurrentSession
  /** The state that the page was rendered with, and its user until the session is looked at. */
  readonly initialSession: SessionState
  rendered?: CurrentSession
  following?: Promise<void>
  /** Requests that may give the session a new token; see `renewing`. */
  renewal?: Promise<void> | undefined
  watching?: boolean
}

/** The wallet, the connectors, and the current prompt. */
type WalletFields = {
  readonly wallet: WritableStore<WalletState>
  /** Parts from which the wallet state is derived. */
  walletParts: WalletParts
  readonly connectors: WritableStore<readonly Connector[]>
  readonly mismatch: WritableStore<AccountMismatch | undefined>
  /** The wallet that is being asked; never two at once. */
  prompt?: Prompt
  /** There once a page prepares sign-ins (`prepareSignIn`). */
  prepared?: PreparedChallenges
  /** Signature made while connecting, until it is used. */
  signedAhead?: SignedAhead | undefined
  /** Publishes the current connectors. Set once discovery starts. */
  showConnectors?: () => void
  /** Compares the wallet's account with the user's; set with the first wallet, for there is nothing to compare before. */
  showMismatch?: () => void
  /** The wallet layer's start, with its silent try to reconnect. */
  startingWallet?: Promise<void>
  reconnecting?: AbortController
  /** The account that the person chose to leave as it is. */
  keptAccount?: string
}

/** Readings that components share. */
type ReadingFields = {
  /** Current reader of documents: a user, or a guest. Undefined while unknown. */
  readonly reader: () => string | undefined
  /** Shared readings by key; the last used is the last. */
  readonly readings: Map<string, SharedReading>
  /** Readings that nobody uses are about to be removed. */
  isSweeping?: boolean
  /** Readings are removed when the user changes; set with the first one. */
  isReaderWatched?: boolean
  /** Set once a reading has failed; see `noteOutcome`. */
  recovery?: Recovery
  /** Data read by the rendering server, by request, until it is used. */
  hydrated?: { readonly reader: string; readonly data: Map<string, unknown> }
}

/** Documents that this client changes. */
type DocumentFields = {
  /** Called with the name of each class whose documents this client changed; see `onClassChange`. */
  readonly classListeners: Set<(className: string) => void>
  /** Query clients that are kept current, with their unsubscribe; see `syncQueryClient`. */
  syncs?: Map<object, () => void>
  /** Documents with changes that wait for the server. */
  readonly edits: WritableStore<readonly DocumentEdit[]>
  /** Applies them to read data; set while there are any, and replaced with each change. */
  overlay?: (<Data>(data: Data, asked: object) => Data) | undefined
  /** The latest write on its way, by document; each waits for the one before it. */
  readonly writes: Map<string, Promise<void>>
  /** When this client last wrote a document, by the server's clock. */
  readonly savedAt: Map<string, number>
  /** Documents on the device. */
  offline?: Offline
  /** Temporary ids of documents that were made here, to their own and back. */
  readonly madeIds: Map<string, string>
}

/** The live connection. */
type LiveFields = {
  readonly liveState: WritableStore<LiveState>
  /** The one live connection; opened by the first subscription. */
  live?: LiveSocket
}

/** Contracts that are read. */
type ChainFields = {
  /** Numbers for the providers that contracts are read by, which have no name. */
  readonly providerIds: WeakMap<object, number>
  providerCount: number
  /** Contract calls by provider or configured chain; set with the first call. */
  readers?: WeakMap<object, ChainReader>
}

/** Set while the devtools look on. */
type DevtoolsFields = {
  /** Set once the devtools are shown. */
  recorder?: Recorder
  /** Called with every failure, while the devtools are open. */
  watchError?: (error: CountersignError) => void
  /**
   * Called with the name of every action that a hook starts, while the devtools are open; returns a callback for the
   * outcome.
   */
  watchAction?: (name: string) => (error?: CountersignError) => void
}

/** State that actions share, by subject. */
export type ClientInternal = RequestFields &
  SessionFields &
  WalletFields &
  ReadingFields &
  DocumentFields &
  LiveFields &
  ChainFields &
  DevtoolsFields

/** Transport of the session: the server's HttpOnly cookie, or a token in storage and a header. */
export type Transport = 'cookie' | 'storage'

/** Settings fixed by initialization for all later requests. */
export type Connection = {
  readonly appId: string
  readonly serverUrl: string
  readonly javascriptKey?: string
  readonly transport: Transport
  readonly storage: SyncStorage
  readonly installationId: string
}

export type InitializationState =
  | { readonly status: 'idle' | 'initializing'; readonly error?: undefined }
  | { readonly status: 'ready'; readonly appId: string; readonly serverUrl: string; readonly error?: undefined }
  | { readonly status: 'error'; readonly error: CountersignError }

/** Session found by the rendering server, as plain JSON. `undefined`: unknown, the page finds out itself. */
export type InitialSession =
  | { readonly status: 'undefined' }
  | { readonly status: 'unauthenticated' }
  | { readonly status: 'authenticated'; readonly user: UserFields & { username?: string; email?: string } }

/** Storage of the session: `localStorage` or anything with its three methods. */
export type SyncStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The same three methods, possibly asynchronous, as in React Native's AsyncStorage. */
export type StorageAdapter = {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/**
 * Proof of the session in a request. The id is this browser's own name for the session: new with every sign-in and
 * every change of token, so that a late response to an older session is recognized even if the token is in a cookie.
 */
export type Credential = { readonly id: string; readonly token?: string }

export type CurrentSession = {
  readonly credential: Credential
  /** The user as the server last gave it. */
  readonly record: UserFields
  /** Edits that are shown but not confirmed, oldest first. */
  readonly edits: readonly WireFields[]
  /** `record` with `edits` on top, and the snapshot made of it. */
  readonly shown: WireFields
  readonly user: User
}

/** A wallet that is being asked on behalf of the client, and the operation that waits for it. */
export type Prompt = {
  /** Key by which the same request is recognized. */
  readonly wish: readonly unknown[]
  readonly signal: AbortSignal
  readonly cancel: () => void
  done?: Promise<unknown>
}
