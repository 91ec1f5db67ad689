import type { Client } from '../../client/Client.ts'
import type {
  AddressInput,
  AddressOfInput,
  Avatar,
  ChainInfo,
  ChainResult,
  ChainResultPage,
  NativeBalance,
  NativeBalanceInput,
  Nft,
  NftsInput,
  Portfolio,
  PortfolioInput,
  Token,
  TokenBalance,
  TokenBalancesInput,
  TokenInput,
  TokenPrice,
  TokenPriceInput,
  Transaction,
  TransactionsInput,
  Transfer,
  TransfersInput,
} from './ChainData.ts'
import { readChain } from './readChain.ts'
import type { ActionOptions } from '../../client/runAction.ts'

/**
 * The address that a name stands for; null where it stands for none.
 *
 * @example
 * const found = await getEnsAddress(client, { name: 'ada.eth' })
 * console.log(found?.result.address)
 */
export function getEnsAddress(
  client: Client,
  input: AddressOfInput,
  { signal }: ActionOptions = {},
): Promise<ChainResult<{ readonly name: string; readonly address: string }> | null> {
  return readChain(client, 'resolveName', input, { signal })
}

/**
 * The name that an address goes by, with its picture; null where it has none. A claim that the name does not confirm counts for nothing.
 *
 * @example
 * const found = await getEnsName(client, { address })
 * console.log(found?.result.name) // 'ada.eth'
 */
export function getEnsName(
  client: Client,
  input: AddressInput = {},
  { signal }: ActionOptions = {},
): Promise<ChainResult<{ readonly name: string; readonly avatar?: Avatar }> | null> {
  return readChain(client, 'getNameOf', input, { signal })
}

/**
 * Price of a token, from the deepest known pool on the chain; null if there is none.
 *
 * @example
 * const price = await findTokenPrice(client, { token, chain: 'eth' })
 * console.log(price?.result.usd, price?.result.from?.exchange)
 */
export function findTokenPrice(
  client: Client,
  input: TokenPriceInput,
  { signal }: ActionOptions = {},
): Promise<ChainResult<TokenPrice> | null> {
  return readChain(client, 'getTokenPrice', input, { signal })
}

/**
 * Native balance of an address, now or at a block.
 *
 * @example
 * const balance = await getNativeBalance(client, { address, chain: 'polygon' })
 * console.log(balance?.result.balance) // 1500000000000000000n
 */
export function getNativeBalance(
  client: Client,
  input: NativeBalanceInput = {},
  { signal }: ActionOptions = {},
): Promise<ChainResult<NativeBalance>> {
  return readChain(client, 'getNativeBalance', input, { signal })
}

/**
 * Assets of an address on all chains of the server, in one response.
 *
 * @example
 * const portfolio = await getPortfolio(client, { address })
 * for (const { name, native } of portfolio?.chains ?? []) console.log(name, native?.balance)
 */
export function getPortfolio(
  client: Client,
  input: PortfolioInput = {},
  { signal }: ActionOptions = {},
): Promise<Portfolio> {
  return readChain(client, 'getPortfolio', input, { signal })
}

/**
 * The name, symbol and decimals of an ERC-20 token.
 *
 * @example
 * const token = await getToken(client, { token: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chain: 'eth' })
 * console.log(token?.result.symbol) // 'DAI'
 */
export function getToken(
  client: Client,
  input: TokenInput,
  { signal }: ActionOptions = {},
): Promise<ChainResult<Token>> {
  return readChain(client, 'getToken', input, { signal })
}

/**
 * The chains that the server reads, with their heads and how far they are indexed.
 *
 * @example
 * const chains = await listChains(client)
 * console.log(chains?.map(({ name, head }) => `${name} ${head?.number}`))
 */
export function listChains(client: Client, { signal }: ActionOptions = {}): Promise<readonly ChainInfo[]> {
  return readChain(client, 'listChains', {}, { signal })
}

/**
 * A page of the collectibles of an address.
 *
 * @example
 * const first = await listNfts(client, { address, limit: 20 })
 * const second = first?.cursor && (await listNfts(client, { address, limit: 20, cursor: first.cursor }))
 */
export function listNfts(
  client: Client,
  input: NftsInput & { readonly cursor?: string } = {},
  { signal }: ActionOptions = {},
): Promise<ChainResultPage<Nft>> {
  return readChain(client, 'listNfts', input, { signal })
}

/**
 * The ERC-20 tokens of an address: all in the server's index, or the given ones.
 *
 * @example
 * const answer = await listTokenBalances(client, { address, tokens: [usdc] })
 * console.log(answer?.result[0]?.balance) // 3000000n
 */
export function listTokenBalances(
  client: Client,
  input: TokenBalancesInput = {},
  { signal }: ActionOptions = {},
): Promise<ChainResult<readonly TokenBalance[]>> {
  return readChain(client, 'listTokenBalances', input, { signal })
}

/**
 * A page of the transactions that an address sent or received.
 *
 * @example
 * const latest = await listTransactions(client, { address, limit: 10 })
 */
export function listTransactions(
  client: Client,
  input: TransactionsInput & { readonly cursor?: string } = {},
  { signal }: ActionOptions = {},
): Promise<ChainResultPage<Transaction>> {
  return readChain(client, 'listTransactions', input, { signal })
}

/**
 * A page of the transfers of tokens and collectibles from or to an address.
 *
 * @example
 * const received = await listTransfers(client, { address, direction: 'to', kind: 'erc20' })
 */
export function listTransfers(
  client: Client,
  input: TransfersInput & { readonly cursor?: string } = {},
  { signal }: ActionOptions = {},
): Promise<ChainResultPage<Transfer>> {
  return readChain(client, 'listTransfers', input, { signal })
}
