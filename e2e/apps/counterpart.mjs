// The other side of WalletConnect in a separate process: a relay and a wallet, controlled by messages.
import { createRemoteWallet } from './lib/createRemoteWallet.mjs'
import { startRelay } from './lib/startRelay.mjs'

const relay = await startRelay()
const wallet = await createRemoteWallet(relay.url)
/** @type {Record<string, (...parameters: any[]) => unknown>} */
const acts = {
  ...wallet,
  addresses: () => wallet.addresses,
  dropRelay: relay.drop,
  openRelay: relay.open,
  countLines: relay.count,
}

process.on(
  'message',
  async (/** @type {{ id: number, act: string, parameters: unknown[] }} */ { id, act, parameters }) => {
    try {
      process.send?.({ id, result: await acts[act]?.(...parameters) })
    } catch (error) {
      process.send?.({ id, error: String(error) })
    }
  },
)
process.on('disconnect', () => process.exit())
process.send?.({ relayUrl: relay.url })
