import type { Transport } from './Connection.ts'

/** The cookie where the page can have one; without a page (server rendering, Node) there is no cookie to hold it. */
export function chooseTransport(wanted: 'auto' | Transport, serverUrl: string): Transport {
  if (typeof window === 'undefined' || !window.location) return 'storage'
  if (wanted !== 'auto') return wanted
  return new URL(serverUrl).origin === window.location.origin ? 'cookie' : 'storage'
}
