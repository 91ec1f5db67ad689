import type { CountersignError, WireFields } from '@countersign/protocol'
import type { Address } from 'viem'
import type { Connector, Eip1193Provider, Signer, SignInFields, WalletConnection } from './Connector.ts'

type Connected<Namespace, Account, ChainId> = {
  readonly status: 'connected'
  /** Kind of chain; it determines the types of account and chain. */
  readonly namespace: Namespace
  readonly connector: Connector
  /** Absent where the connection can only read. */
  readonly account?: Account
  readonly accounts: readonly Account[]
  readonly chainId?: ChainId
  readonly provider?: Eip1193Provider
}

export type ConnectedWallet = Connected<'eip155', Address, number> | Connected<'solana', string, string>

/** The wallet, all of it from one place. */
export type WalletState =
  | {
      readonly status: 'disconnected'
      /** Why the latest try failed, or why the wallet went away. */
      readonly error?: CountersignError
    }
  /** Not known yet, as on reload: no prompt is open. The connector is set once it was found. */
  | { readonly status: 'reconnecting'; readonly connector?: Connector }
  | {
      readonly status: 'connecting'
      readonly connector: Connector
      /** For another device: shown as a QR code. */
      readonly uri?: string
      /** True after three seconds without a reaction: the wallet may be locked or hidden behind this window. */
      readonly slow: boolean
      /** True if the wallet already shows a prompt (-32002), which the person has to open there. */
      readonly pending: boolean
    }
  | ConnectedWallet

/** The wallet is on another account than those of the signed-in user. */
export type AccountMismatch = {
  /** The address that the user is known by: with its checksum, for EVM. */
  readonly signedInAs: Address | string
} & (
  | {
      readonly namespace: 'eip155'
      /** The account that the wallet is on. */
      readonly account: Address
    }
  | { readonly namespace: 'solana'; readonly account: string }
)

/** An open connection, with the wallet's last report. */
export type OpenWallet = {
  readonly connector: Connector
  readonly link: WalletConnection
  readonly accounts: readonly string[]
  readonly chainId?: number | string
  readonly signer?: Signer
  readonly stop: () => void
}

/** Attempt to connect: with a prompt, or silent, when its connector may not be there yet. */
export type WalletAttempt =
  | { readonly silent: true; readonly connector?: Connector }
  | {
      readonly silent: false
      readonly connector: Connector
      readonly uri?: string
      readonly slow: boolean
      readonly pending: boolean
    }

/** The one place that the state of the wallet is derived from. */
export type WalletParts = {
  readonly attempt?: WalletAttempt
  readonly open?: OpenWallet
  readonly error?: CountersignError
}

export type PreparedValues = { eip155: SignInFields; solana: SignInFields; passkey: WireFields }

/** Challenges fetched before a click, by kind. */
export type PreparedChallenges = {
  /** Fetches one, unless a good one is at hand. */
  readonly fetch: <Kind extends keyof PreparedValues>(
    kind: Kind,
    ask: () => Promise<PreparedValues[Kind]>,
  ) => Promise<void>
  /** Gives one away, once. */
  readonly take: <Kind extends keyof PreparedValues>(kind: Kind) => PreparedValues[Kind] | undefined
}

/** Signature that a wallet made while connecting. */
export type SignedAhead = NonNullable<WalletConnection['signed']> & { readonly link: WalletConnection }
