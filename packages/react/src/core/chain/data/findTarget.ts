import { getUser } from '../../session/getUser.ts'
import type { Client } from '../../client/Client.ts'
import { ValidationError } from '../../errors/errors.ts'
import type { ChainEndpoint } from './ChainData.ts'

const ofAddress =
  /^(getNativeBalance|listTokenBalances|listNfts|listTransfers|listTransactions|getNameOf|getPortfolio)$/

const ofNames = /^(getNameOf|resolveName)$/

const ofNoChain = /^(listChains|getPortfolio)$/

export type Target = { readonly chain?: string; readonly address?: string }

/** Default address and chain of a request: the wallet's, or the user's and the application's. */
export function findTarget(client: Client, name: ChainEndpoint, input: object): Target & { isMissing: boolean } {
  const { chain, address }: { chain?: string | number; address?: string } = input
  const wallet = client.internal.wallet.get()
  const isEvm = wallet.status === 'connected' && wallet.connector.namespace === 'eip155'
  const present = isEvm ? wallet : undefined
  const { chains = [] } = client.internal.options
  const usual = ofNames.test(name) ? 'eth' : (present?.chainId ?? chains[0]?.id ?? 'eth')
  const ethAddress = getUser(client)?.ethAddress
  const found = address ?? present?.account ?? (typeof ethAddress === 'string' ? ethAddress : undefined)
  const isAbout = ofAddress.test(name)
  return {
    ...(!ofNoChain.test(name) && { chain: String(chain ?? usual) }),
    ...(isAbout && found !== undefined && { address: found.toLowerCase() }),
    isMissing: isAbout && found === undefined,
  }
}

/** Returns true if the result may change with the wallet. */
export function asksWallet(name: ChainEndpoint, input: object): boolean {
  const isLackingChain =
    !('chain' in input && input.chain !== undefined) && !ofNames.test(name) && !ofNoChain.test(name)
  return isLackingChain || (ofAddress.test(name) && !('address' in input && input.address !== undefined))
}

/** Error for a request without an address. */
export function missingAddress(): ValidationError {
  return new ValidationError('No address is given, and no wallet is connected.', 'Connect a wallet or pass an address.')
}
