import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Portfolio } from '../chainData/ChainData.ts'
import type { PortfolioInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * What an address has on all chains of the server, in one answer.
 *
 * @example
 * const portfolio = await getPortfolio(client, { address })
 * for (const { name, native } of portfolio?.chains ?? []) console.log(name, native?.balance)
 */
export function getPortfolio(
  client: Client,
  input: PortfolioInput = {},
  callbacks: Callbacks<Portfolio> = {},
): Promise<Portfolio | undefined> {
  return readChain(client, 'getPortfolio', input, callbacks)
}
