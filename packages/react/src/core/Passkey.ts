import type { PasskeyRecord } from '@countersign/protocol'
import type { Dated } from './Dated.ts'

/** A passkey of the user. `backedUp`: its maker keeps a copy, so that it outlives the device. */
export type Passkey = Dated<PasskeyRecord>
