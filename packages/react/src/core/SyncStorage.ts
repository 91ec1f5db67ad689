/** What the session is kept in: `localStorage` and everything that has its three calls. */
export type SyncStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}
