/** Whether the browser knows that there is no network. */
export function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false
}

/** Whether there is a page that emits events: React Native has a `window` that does not. */
export function hasEvents(): boolean {
  return typeof window !== 'undefined' && typeof window.addEventListener === 'function'
}
