import type { WalletRecord } from '@countersign/protocol'
import type { Dated } from './Dated.ts'

/** A wallet that was proven to be the user's. */
export type Wallet = Dated<WalletRecord>
