import type { Client } from '../../client/Client.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import type { ChainEndpoint, ChainInfo, ChainQuestionAnswer, ChainQuestionInput } from './ChainData.ts'
import { readChain } from './readChain.ts'

type ActionInput<Name extends ChainEndpoint> = ChainQuestionInput<Name> &
  (Name extends 'listNfts' | 'listTransactions' | 'listTransfers' ? { readonly cursor?: string } : unknown)

/** Reads data of chains. The input is optional where none of its fields is required. */
export type ChainAction<Name extends ChainEndpoint> = object extends ActionInput<Name>
  ? (client: Client, input?: ActionInput<Name>, options?: ActionOptions) => Promise<ChainQuestionAnswer<Name>>
  : (client: Client, input: ActionInput<Name>, options?: ActionOptions) => Promise<ChainQuestionAnswer<Name>>

function chainAction<Name extends ChainEndpoint>(name: Name): ChainAction<Name> {
  return (client: Client, input: object = {}, options?: ActionOptions) => readChain(client, name, input, options)
}

/**
 * The address of a name; null if it has none.
 *
 * @example
 * const found = await getEnsAddress(client, { name: 'ada.eth' })
 * console.log(found?.result.address)
 */
export const getEnsAddress = /*#__PURE__*/ chainAction('resolveName')

/**
 * The name of an address, with its avatar; null if it has none. The name must resolve back to the address.
 *
 * @example
 * const found = await getEnsName(client, { address })
 * console.log(found?.result.name) // 'ada.eth'
 */
export const getEnsName = /*#__PURE__*/ chainAction('getNameOf')

/**
 * Price of a token, from the deepest known pool on the chain; null if there is none.
 *
 * @example
 * const price = await findTokenPrice(client, { token, chain: 'eth' })
 * console.log(price?.result.usd, price?.result.from?.exchange)
 */
export const findTokenPrice = /*#__PURE__*/ chainAction('getTokenPrice')

/**
 * Native balance of an address, now or at a block.
 *
 * @example
 * const balance = await getNativeBalance(client, { address, chain: 'polygon' })
 * console.log(balance?.result.balance) // 1500000000000000000n
 */
export const getNativeBalance = /*#__PURE__*/ chainAction('getNativeBalance')

/**
 * Assets of an address on all chains of the server, in one response.
 *
 * @example
 * const portfolio = await getPortfolio(client, { address })
 * for (const { name, native } of portfolio?.chains ?? []) console.log(name, native?.balance)
 */
export const getPortfolio = /*#__PURE__*/ chainAction('getPortfolio')

/**
 * The name, symbol and decimals of an ERC-20 token.
 *
 * @example
 * const token = await getToken(client, { token: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chain: 'eth' })
 * console.log(token?.result.symbol) // 'DAI'
 */
export const getToken = /*#__PURE__*/ chainAction('getToken')

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
export const listNfts = /*#__PURE__*/ chainAction('listNfts')

/**
 * The ERC-20 tokens of an address: all in the server's index, or the given ones.
 *
 * @example
 * const balances = await listTokenBalances(client, { address, tokens: [usdc] })
 * console.log(balances?.result[0]?.balance) // 3000000n
 */
export const listTokenBalances = /*#__PURE__*/ chainAction('listTokenBalances')

/**
 * A page of the transactions that an address sent or received.
 *
 * @example
 * const latest = await listTransactions(client, { address, limit: 10 })
 */
export const listTransactions = /*#__PURE__*/ chainAction('listTransactions')

/**
 * A page of the transfers of tokens and collectibles from or to an address.
 *
 * @example
 * const received = await listTransfers(client, { address, direction: 'to', kind: 'erc20' })
 */
export const listTransfers = /*#__PURE__*/ chainAction('listTransfers')
