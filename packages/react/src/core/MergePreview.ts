import type { MergePreview as MergePreviewRecord } from '@countersign/protocol'
import type { Dated } from './Dated.ts'

/** What a merge would move into the user's account. */
export type MergePreview = Dated<MergePreviewRecord>
