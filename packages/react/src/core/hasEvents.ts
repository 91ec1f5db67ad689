/** Whether there is a page that tells of what happens: React Native has a `window` that does not. */
export function hasEvents(): boolean {
  return typeof window !== 'undefined' && typeof window.addEventListener === 'function'
}
