import type { Client } from '../../Client.ts'
import { adoptLink } from '../adoptLink.ts'
import { createWagmiConnector } from './createWagmiConnector.ts'
import { createWagmiLink } from './createWagmiLink.ts'
import { findConnection } from './findConnection.ts'
import type { WagmiConfig } from './WagmiConfig.ts'

/**
 * Keeps the client's wallet the one that wagmi has: connected, changed or disconnected by the application's own wallet
 * button, it is so here too. Nothing is asked of anybody. Returns what stops it.
 *
 * @example
 * import { watchWagmi } from '@countersign/react/wagmi'
 *
 * const client = createClient({ appId: 'my-app', serverUrl: 'http://localhost:1337/server' })
 * const stop = watchWagmi(client, wagmiConfig)
 * await authenticate(client) // signs with the wallet that wagmi is connected to
 */
export function watchWagmi(client: Client, config: WagmiConfig): () => void {
  const given = client.internal.options.connectors?.find(({ id }) => id === 'wagmi')
  const connector = given ?? createWagmiConnector(config)
  let followed: string | undefined

  async function follow(): Promise<void> {
    const present = findConnection(config)
    const uid = present?.connector.uid
    if (uid === followed) return
    followed = uid
    if (!present) return
    const link = await createWagmiLink(config, present)
    // It may be another by now, which then follows itself; and a click of ours may have connected it meanwhile.
    if (followed !== uid || client.internal.walletParts.attempt?.silent === false) return
    client.internal.reconnecting?.abort()
    adoptLink(client, connector, link)
  }

  const run = () => void follow().catch(() => undefined)
  const stop = config.subscribe((state) => state, run)
  run()
  return () => {
    followed = ''
    stop()
  }
}
