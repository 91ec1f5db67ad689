import type { Connector } from './Connector.ts'
import { createEip1193Connector } from './createEip1193Connector.ts'
import { readAnnouncement } from './readAnnouncement.ts'

/** More than any browser holds; a page that announces without end is not followed. */
const limit = 50

/**
 * Finds the wallets of the browser by EIP-6963, also those that come late. The first to claim a reverse domain name has
 * it for its id. Another that claims the same is shown beside it under an id of its own: it can take nobody's place, and
 * is not reconnected in another's name (S24).
 */
export function watchAnnouncedWallets(listener: (connector: Connector) => void): () => void {
  const known = new Map<string, string>()
  const hear = (event: Event) => {
    const heard = readAnnouncement((event as CustomEvent<unknown>).detail)
    if (!heard || known.has(heard.uuid) || known.size >= limit) return
    const { uuid, rdns, name, icon, provider } = heard
    const isCopy = [...known.values()].includes(rdns)
    known.set(uuid, rdns)
    const info = { id: isCopy ? `${rdns}#${uuid}` : rdns, kind: 'injected' as const, name, icon, rdns }
    listener(createEip1193Connector(info, async () => provider))
  }
  window.addEventListener('eip6963:announceProvider', hear)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', hear)
}
