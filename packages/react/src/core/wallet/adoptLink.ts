import type { Client } from '../Client.ts'
import type { Connector, WalletLink } from './Connector.ts'
import { followWallet } from './followWallet.ts'
import { moveWallet } from './moveWallet.ts'
import { rememberWallet } from './rememberedWallet.ts'
import type { OpenWallet } from './WalletParts.ts'
import { watchFocus } from './watchFocus.ts'

/** Makes a connection the client's own, in place of a former one, and follows what the wallet tells. */
export function adoptLink(client: Client, connector: Connector, link: WalletLink): OpenWallet {
  client.internal.walletParts.open?.stop()
  const { accounts, chainId, signer } = link
  const stop = link.watch((event) => followWallet(client, link, event))
  const open = { connector, link, accounts, chainId, signer, stop }
  rememberWallet(client, connector.id)
  moveWallet(client, { attempt: undefined, open, error: undefined })
  watchFocus(client)
  return open
}
