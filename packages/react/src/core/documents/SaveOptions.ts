import type { WireChanges, WireFields } from '@countersign/protocol'

export type Optimistic = {
  /**
   * Shows the change at once wherever the document is on show, and takes it back where it fails; false by default. A
   * new document is shown by a temporary id until it has its own; it can be saved and pointed to at once.
   */
  readonly optimistic?: boolean | undefined
}

export type BatchOptions = {
  /** All of them or none: one that fails is the failure of the whole. */
  readonly transaction?: boolean
}

/** Changes as the wire carries them. */
export type EncodedInput = WireFields & WireChanges
