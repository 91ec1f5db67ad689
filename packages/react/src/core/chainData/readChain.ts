import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { loadOnce } from '../loadOnce.ts'
import { runAction } from '../runAction.ts'

export type ChainEndpoint =
  | 'listChains'
  | 'getNativeBalance'
  | 'listTokenBalances'
  | 'listNfts'
  | 'listTransfers'
  | 'listTransactions'
  | 'getNameOf'
  | 'resolveName'
  | 'getToken'
  | 'getTokenPrice'
  | 'getPortfolio'

export const loadAsking = loadOnce(async () => (await import('./asking.ts')).asking)

/** Asks the server for what is on a chain. */
export function readChain<Data>(
  client: Client,
  name: ChainEndpoint,
  input: object,
  callbacks: Callbacks<Data> = {},
): Promise<Data | undefined> {
  return runAction(client, callbacks, async () => {
    const { askChain } = await loadAsking()
    return (await askChain(client, name, input, callbacks.signal)) as Data
  })
}
