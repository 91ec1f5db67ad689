import type { CountersignError } from '@countersign/protocol'
import type { Connector } from './Connector.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'

export type ConnectedWallet = {
  readonly status: 'connected'
  readonly connector: Connector
  /** Absent where the connection can only read. */
  readonly account?: string
  readonly accounts: readonly string[]
  readonly chainId?: number | string
  readonly provider?: Eip1193Provider
}

/** The wallet, all of it from one place. */
export type WalletState =
  | {
      readonly status: 'disconnected'
      /** Why the latest try failed, or why the wallet went away. */
      readonly error?: CountersignError
    }
  /** Not known yet, as on reload: nothing is asked of the person. The connector is known once it was found. */
  | { readonly status: 'reconnecting'; readonly connector?: Connector }
  | {
      readonly status: 'connecting'
      readonly connector: Connector
      /** For another device: shown as a QR code. */
      readonly uri?: string
      /** No answer for three seconds, so it may be locked or hidden behind this window. */
      readonly slow: boolean
      /** The wallet is asking already (-32002): it is to be opened and answered there. */
      readonly pending: boolean
    }
  | ConnectedWallet
