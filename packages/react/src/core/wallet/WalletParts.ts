import type { CountersignError } from '@countersign/protocol'
import type { Connector, WalletLink } from './Connector.ts'
import type { Signer } from './Signer.ts'

/** A connection that stands, with what the wallet last told of it. */
export type OpenWallet = {
  readonly connector: Connector
  readonly link: WalletLink
  readonly accounts: readonly string[]
  readonly chainId?: number | string
  readonly signer?: Signer
  readonly stop: () => void
}

/** A try to connect: one that asks the person, or a silent one, whose connector may not be there yet. */
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
