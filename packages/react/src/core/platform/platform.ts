/** Returns true if the browser reports no network. */
export function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false
}

/** Returns true if there is a page with events: React Native has a `window` without them. */
export function hasEvents(): boolean {
  return typeof window !== 'undefined' && typeof window.addEventListener === 'function'
}
