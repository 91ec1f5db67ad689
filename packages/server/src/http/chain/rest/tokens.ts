import { CountersignError, type PriceRecord } from '@countersign/protocol'
import { chainFields } from '@countersign/protocol/contract'
import { listTokensBySymbol } from '../../../chain/index/queries/listHoldings.ts'
import type { Chain } from '../../../chain/nodes/Chain.ts'
import { getPairAddress, getPairReserves } from '../../../chain/reads/pairs.ts'
import { getTokenPrices, type TokenPrice } from '../../../chain/reads/prices.ts'
import { getAllowance } from '../../../chain/reads/tokens.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { answerFromNode } from '../answers.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { formatUnits } from '../describe.ts'
import { describeToken, readTokens } from '../readTokens.ts'

export const tokenEndpoints: Endpoint[] = [
  defineChainRead('listTokens', {
    read: ({ context, chain, key }, { addresses, symbols }) => {
      if (!addresses && !symbols) throw new CountersignError('InvalidValue', 'addresses or symbols is missing.')
      if (addresses)
        return answerFromNode(chain, key, async () => ({
          block: await chain.head(),
          result: (await readTokens(context, chain, addresses)).map(describeToken),
        }))
      return answerFromNode(chain, undefined, async () => ({
        block: await chain.head(),
        result: (await listTokensBySymbol(context, chain.id, symbols ?? [], chainFields.mostRows)).map(
          ({ name, ...token }) => ({ ...token, ...(name !== null && { name }) }),
        ),
      }))
    },
  }),
  defineChainRead('getToken', {
    read: ({ context, chain, key }, { token }) =>
      answerFromNode(chain, key, async () => {
        const [found] = await readTokens(context, chain, [token])
        if (!found || (found.decimals === undefined && found.symbol === undefined))
          throw new CountersignError('ObjectNotFound', `There is no token at ${token}.`)
        return { block: await chain.head(), result: describeToken(found) }
      }),
  }),
  defineChainRead('getTokenPrice', {
    read: ({ chain, key }, { token, exchange, block }) =>
      answerFromNode(chain, key, async () => {
        const [price] = await getTokenPrices(chain, { tokens: [token], block, ...(exchange && { exchange }) })
        if (!price) throw new CountersignError('ObjectNotFound', 'No known pool trades this token.')
        return { block: price.block, result: describePrice(chain, price) }
      }),
  }),
  defineChainRead('getAllowance', {
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { allowance, block } = await getAllowance(chain, input)
        return { block, result: { allowance: allowance.toString() } }
      }),
  }),
  defineChainRead('getPair', {
    read: ({ context, chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { block, pair, exchange, token0, token1 } = await getPairAddress(chain, input)
        const [first, second] = (await readTokens(context, chain, [token0, token1])).map(describeToken)
        const isV2 = chain.contracts.v2.some(({ name }) => name === exchange)
        const reserves = isV2 ? await getPairReserves(chain, { pair, block: block.number }) : undefined
        return {
          block,
          result: {
            exchange,
            pair,
            token0: first ?? { token: token0 },
            token1: second ?? { token: token1 },
            ...(reserves && { reserve0: reserves.reserve0.toString(), reserve1: reserves.reserve1.toString() }),
          },
        }
      }),
  }),
]

const describePrice = (chain: Chain, { token, native, usd, source }: TokenPrice): PriceRecord => ({
  ...describeToken(token),
  ...(native && {
    native: { value: native.value.toString(), decimals: native.decimals, symbol: chain.nativeCurrency.symbol },
  }),
  ...(usd && { usd: formatUnits(usd.value, usd.decimals) }),
  ...(source && { from: { ...source, depth: source.depth.toString() } }),
})
