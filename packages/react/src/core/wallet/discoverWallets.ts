import type { Client } from '../Client.ts'
import { hasEvents } from '../hasEvents.ts'
import type { Connector } from './Connector.ts'
import { createDemoConnector } from './connectors/createDemoConnector.ts'
import { createInjectedConnector } from './connectors/createInjectedConnector.ts'
import { createNetworkConnector } from './connectors/createNetworkConnector.ts'
import { providerWait } from './providerWait.ts'
import { waitForEthereum } from './waitForEthereum.ts'
import { watchAnnouncedWallets } from './watchAnnouncedWallets.ts'
import { watchStandardWallets } from './watchStandardWallets.ts'

/** Keeps the list of connectors for as long as the page lives. It asks nobody anything and sends nothing. */
export function discoverWallets(client: Client): void {
  const { internal } = client
  if (internal.showConnectors) return
  const { options } = internal
  let announced: readonly Connector[] = []
  let standard: readonly Connector[] = []
  let legacy: Connector | undefined
  const demo = createDemoConnector({ storage: options.storage, chains: options.chains })
  const network = options.chains?.length ? createNetworkConnector({ chains: options.chains }) : undefined

  internal.showConnectors = () => {
    const found = [
      ...(options.connectors ?? []),
      ...announced,
      // A wallet that announces itself is there under its own name already.
      ...(legacy && announced.length === 0 ? [legacy] : []),
      ...standard,
      ...(network ? [network] : []),
      ...(options.demoWallet ? [demo] : []),
    ]
    internal.connectors.set(found.filter(({ id }, index) => found.findIndex((one) => one.id === id) === index))
  }
  internal.showConnectors()
  if (!hasEvents()) return
  watchAnnouncedWallets((connector) => {
    announced = [...announced, connector]
    internal.showConnectors?.()
  })
  watchStandardWallets((connectors) => {
    standard = connectors
    internal.showConnectors?.()
  })
  void waitForEthereum(providerWait).then((provider) => {
    if (!provider) return
    legacy = createInjectedConnector()
    internal.showConnectors?.()
  })
}
