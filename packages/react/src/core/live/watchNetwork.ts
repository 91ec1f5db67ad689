import { hasEvents } from '../hasEvents.ts'

/** Tells of the network and of the page being seen, for as long as the page lives. */
export function watchNetwork({ wake, sleep }: { readonly wake: () => void; readonly sleep: () => void }): void {
  if (!hasEvents()) return
  window.addEventListener('online', wake)
  window.addEventListener('offline', sleep)
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) wake()
  })
  if (typeof document === 'undefined') return
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake()
  })
}
