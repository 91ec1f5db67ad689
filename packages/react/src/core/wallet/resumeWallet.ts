import type { Client } from '../Client.ts'
import { untilAborted } from '../untilAborted.ts'
import { adoptLink } from './adoptLink.ts'
import type { ConnectorKind } from './Connector.ts'
import { discoverWallets } from './discoverWallets.ts'
import { moveWallet } from './moveWallet.ts'
import { providerWait } from './providerWait.ts'
import { findRememberedWallet } from './rememberedWallet.ts'
import { waitForConnector } from './waitForConnector.ts'

/** Kinds whose SDK has to be fetched, and then to find its way to its relay or its server; and how long that may take. */
const fetched: readonly ConnectorKind[] = ['walletconnect', 'magicLink', 'web3Auth']
const fetchedWait = 10_000

/** Connects the wallet used last again, if it still shares an account. It never opens a window, and never fails. */
export async function resumeWallet(client: Client): Promise<void> {
  const { internal } = client
  if (internal.reconnecting || internal.walletParts.open || internal.walletParts.attempt) return
  discoverWallets(client)
  const last = findRememberedWallet(client)
  if (!last?.connected) return moveWallet(client, {})
  const controller = new AbortController()
  const { signal } = controller
  internal.reconnecting = controller
  moveWallet(client, { attempt: { silent: true } })
  // A wallet that is waited for keeps 'reconnecting' on show, so that nothing flashes by as disconnected.
  let timer = setTimeout(() => controller.abort(), providerWait)
  try {
    const connector = await waitForConnector(
      client,
      (list) => list.find(({ id }) => id === last.id),
      providerWait,
      signal,
    )
    if (!connector || signal.aborted) return
    // Two that claim the same name: which of them it was is for the person to say (S24).
    const claimants = internal.connectors.get().filter(({ rdns }) => rdns !== undefined && rdns === connector.rdns)
    if (claimants.length > 1) return
    moveWallet(client, { attempt: { silent: true, connector } })
    if (fetched.includes(connector.kind)) {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(), fetchedWait)
    }
    const link = await untilAborted(() => connector.reconnect({ signal }), signal)
    if (link) adoptLink(client, connector, link)
  } catch {
    // It is not there, or will not: then it is disconnected, which is no fault.
  } finally {
    clearTimeout(timer)
    internal.reconnecting = undefined
    // A click meanwhile has put its own attempt there.
    const { walletParts } = internal
    if (walletParts.attempt?.silent) moveWallet(client, { attempt: undefined })
  }
}
