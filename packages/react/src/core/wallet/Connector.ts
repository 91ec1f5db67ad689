import type { ChallengeRecord } from '@countersign/protocol'
import type { Eip1193Provider } from './Eip1193Provider.ts'
import type { Signer } from './Signer.ts'

/** What a wallet tells by itself while it is connected. */
export type WalletEvent =
  | { readonly type: 'accountsChanged'; readonly accounts: readonly string[] }
  | { readonly type: 'chainChanged'; readonly chainId: number | string }
  | { readonly type: 'disconnected'; readonly reason?: unknown }

/** An open connection to a wallet. */
export type WalletLink = {
  /** The account in use comes first. A read-only connection has none. */
  readonly accounts: readonly string[]
  /** A number for EVM, such as `mainnet` for Solana. */
  readonly chainId?: number | string
  /** JSON-RPC, for EVM. */
  readonly provider?: Eip1193Provider
  /** Absent where the connection can only read. */
  readonly signer?: Signer
  readonly watch: (listener: (event: WalletEvent) => void) => () => void
  /** Forgets the connection, and takes the permission back where the wallet can. */
  readonly disconnect: () => Promise<void>
}

export type ConnectOptions = {
  /** The chain that the wallet is asked to be on; a hint. */
  readonly chainId?: number
  readonly signal?: AbortSignal
  /** Called with the text that another device connects by, to be shown as a QR code. */
  readonly onUri?: (uri: string) => void
  /** Called when the wallet says that it is asking already (-32002). It is not asked again. */
  readonly onPending?: () => void
}

/** The parts of a sign-in message, for a wallet that writes the text itself. */
export type SignInFields = ChallengeRecord['fields']

/** What a wallet signed when it connected and signed in by one prompt. */
export type SignedIn = {
  readonly link: WalletLink
  readonly address: string
  readonly message: string
  readonly signature: string
}

export type ConnectorKind =
  | 'injected'
  | 'walletconnect'
  | 'network'
  | 'magicLink'
  | 'web3Auth'
  | 'solana'
  | 'demo'
  | 'custom'

/** A way to reach a wallet. An application may write its own. */
export type Connector = {
  /** Unique and lasting: the reverse domain name that a wallet announces, or the alias. */
  readonly id: string
  readonly kind: ConnectorKind
  readonly namespace: 'eip155' | 'solana'
  readonly name: string
  /** A `data:` image; shown as an image and never as markup (S24). */
  readonly icon?: string
  /** The reverse domain name that the wallet claims. */
  readonly rdns?: string
  /** Asks the wallet; it may open its window. Called only after a click. */
  readonly connect: (options: ConnectOptions) => Promise<WalletLink>
  /** What the wallet shares already. It never opens a window; `undefined` where there is nothing. */
  readonly reconnect: (options: ConnectOptions) => Promise<WalletLink | undefined>
  /** Connects and signs in by one prompt, where the wallet can. What it claims is read from the text that it signed. */
  readonly signIn?: (options: ConnectOptions, fields: SignInFields) => Promise<SignedIn>
}
