/** A value by its key; undefined removes it. */
export type OfflineChange = readonly [key: string, value: unknown]

/** Place on the device, such as IndexedDB. Keys are ordered as texts; ranges include their start and not their end. */
export type OfflineStore = {
  readonly list: (from: string, to: string) => Promise<readonly OfflineChange[]>
  /** Writes all of them or none. Resolves once they would survive a crash. */
  readonly write: (changes: readonly OfflineChange[]) => Promise<void>
  readonly clear: (from: string, to: string) => Promise<void>
  /** Returns false if nothing outlives the page. Known once something was read; true where it is left out. */
  readonly isKept?: () => boolean
}
