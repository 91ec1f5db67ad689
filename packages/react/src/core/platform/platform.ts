/** Returns true if the browser reports no network. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false
}

/** Returns true if there is a page with events: React Native has a `window` without them. */
export function hasEvents(): boolean {
  return typeof globalThis.window?.addEventListener === 'function'
}

/** Lock that requests share while they may replace the token of the session. */
export const lockName = 'Countersign'

/** Locks of all tabs; absent on pages served by plain HTTP and outside browsers. */
export function findLocks(): LockManager | undefined {
  return globalThis.navigator?.locks
}

/** A random version 4 UUID. `crypto.randomUUID` is missing on pages served by plain HTTP. */
export function createUuid(): string {
  // React Native has no `crypto`. These ids are names and prove nothing.
  const bytes = !globalThis.crypto
    ? Uint8Array.from({ length: 16 }, () => Math.random() * 256)
    : crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
