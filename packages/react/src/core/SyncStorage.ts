/** What the session is kept in: `localStorage` and everything that has its three calls. */
export type SyncStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The same three calls, whose answers may come later, as those of React Native's AsyncStorage do. */
export type StorageAdapter = {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}
