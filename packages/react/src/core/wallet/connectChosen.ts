import type { Client } from '../Client.ts'
import type { ConnectOptions, Connector } from './Connector.ts'
import { missingWallet } from './missingWallet.ts'
import { openWallet } from './openWallet.ts'
import { resolveConnector } from './resolveConnector.ts'
import type { ConnectedWallet } from './WalletState.ts'

/** Finds the connector that is meant and connects its wallet. */
export async function connectChosen(
  client: Client,
  given: Connector | string | undefined,
  options: ConnectOptions & { readonly signal: AbortSignal },
): Promise<ConnectedWallet> {
  const connector = await resolveConnector(client, given, options.signal)
  await openWallet(client, connector, options, async (asked) => ({ link: await connector.connect(asked) }))
  const state = client.internal.wallet.get()
  if (state.status !== 'connected') throw missingWallet('The wallet went away again at once.')
  return state
}
