import type { WaysIn as WaysInRecord } from '@countersign/protocol'
import type { Dated } from './Dated.ts'

/** Every way in that the user's account has. The last one cannot be taken away. */
export type WaysIn = Dated<WaysInRecord>
