import type { ChallengeRecord } from '@countersign/protocol'

/** Events of a connected wallet. */
export type WalletEvent =
  | { readonly type: 'accountsChanged'; readonly accounts: readonly string[] }
  | { readonly type: 'chainChanged'; readonly chainId: number | string }
  | { readonly type: 'disconnected'; readonly reason?: unknown }

/** An open connection to a wallet. */
export type WalletConnection = {
  /** The account in use comes first. A read-only connection has none. */
  readonly accounts: readonly string[]
  /** A number for EVM, such as `mainnet` for Solana. */
  readonly chainId?: number | string
  /** JSON-RPC, for EVM. */
  readonly provider?: Eip1193Provider
  /** Absent where the connection can only read. */
  readonly signer?: Signer
  /** Signature made while connecting, if requested (`signIn` of the options) and supported. */
  readonly signed?: { readonly address: string; readonly message: string; readonly signature: string }
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
  /** Sign in by the same prompt, where the wallet can; otherwise it only connects. */
  readonly signIn?: SignInFields
  /** Called when the wallet reports an open prompt (-32002). It is not asked again. */
  readonly onPending?: () => void
}

/** The parts of a sign-in message, for a wallet that writes the text itself. */
export type SignInFields = ChallengeRecord['fields']

/** Signature of a wallet that connected and signed in by one prompt. */
export type SignedIn = {
  readonly link: WalletConnection
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
  /** A `data:` image; shown as an image and never as markup. */
  readonly icon?: string
  /** The reverse domain name that the wallet claims. */
  readonly rdns?: string
  /** Asks the wallet; it may open its window. Called only after a click. */
  readonly connect: (options: ConnectOptions) => Promise<WalletConnection>
  /** Restores a connection without a window; `undefined` if the wallet shares nothing. */
  readonly reconnect: (options: ConnectOptions) => Promise<WalletConnection | undefined>
  /** Connects and signs in by one prompt, if supported. Its claims are read from the signed text. */
  readonly signIn?: (options: ConnectOptions, fields: SignInFields) => Promise<SignedIn>
}

/** A wallet as pages meet it (EIP-1193): JSON-RPC by method and parameters, and events where it has them. */
export type Eip1193Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (payload: unknown) => void): unknown
  removeListener?(event: string, listener: (payload: unknown) => void): unknown
}

/** The account that a wallet would sign with. The chain is a number for EVM, such as `mainnet` for Solana. */
export type SignerAccount = { readonly address: string; readonly chainId?: number | string }

/** Proves an account: a wallet's connector, a key in a test, anything that can sign a text. */
export type Signer = {
  readonly namespace: 'eip155' | 'solana'
  /** The account in use. With `prompt: false` the wallet opens no window and returns only what it already shares. */
  getAccount(options?: { readonly prompt?: boolean }): Promise<SignerAccount | undefined>
  /** The signature: hexadecimal for EVM; base64, base58 or hexadecimal for Solana. */
  signMessage(text: string, account: SignerAccount): Promise<string | undefined>
}

/** Signer of an action. Without signer and connector the connected wallet signs. */
export type SignerInput = {
  readonly signer?: Signer
  /** A connector, its id or an alias; it is connected first if it is not yet. */
  readonly connector?: Connector | string
  /** The account's own chain where none is named. */
  readonly chainId?: number | string
  /** Called with the exact text before the wallet is asked to sign it. */
  readonly onMessage?: (text: string) => void
  /** Called when the wallet has signed, before the server checks it. */
  readonly onSigned?: (signature: string) => void
  /** Called with the text that another device connects by, to be shown as a QR code. */
  readonly onUri?: (uri: string) => void
}

/** A chain as it is added to a wallet (EIP-3085). */
export type Chain = {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: readonly string[]
  readonly blockExplorerUrls?: readonly string[]
}
