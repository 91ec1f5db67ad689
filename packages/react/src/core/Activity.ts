import type { ActivityRecord } from '@countersign/protocol'
import type { Dated } from './Dated.ts'

/** Something that happened to the user's account. */
export type Activity = Dated<ActivityRecord>
