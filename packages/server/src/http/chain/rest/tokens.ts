import { CountersignError } from '@countersign/protocol'
import { listTokensBySymbol } from '../../../chain/index/queries/listTokensBySymbol.ts'
import { getAllowance } from '../../../chain/reads/getAllowance.ts'
import { getPairAddress } from '../../../chain/reads/pairs/getPairAddress.ts'
import { getPairReserves } from '../../../chain/reads/pairs/getPairReserves.ts'
import { getTokenPrices } from '../../../chain/reads/prices/getTokenPrices.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { answerFromNode } from '../answerFromNode.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describePrice } from '../describePrice.ts'
import { address, blockTag, listOf, mostRows, text } from '../fields.ts'
import { describeToken, readTokens } from '../readTokens.ts'

export const tokenEndpoints: Endpoint[] = [
  defineChainRead('listTokens', {
    summary: 'Name, symbol and decimals of tokens: by address from the chain, by symbol from those met before.',
    input: { addresses: listOf(address).optional(), symbols: listOf(text).optional() },
    read: ({ context, chain, key }, { addresses, symbols }) => {
      if (!addresses && !symbols) throw new CountersignError('InvalidValue', 'addresses or symbols is missing.')
      if (addresses)
        return answerFromNode(chain, key, async () => ({
          block: await chain.head(),
          result: (await readTokens(context, chain, addresses)).map(describeToken),
        }))
      return answerFromNode(chain, undefined, async () => ({
        block: await chain.head(),
        result: await listTokensBySymbol(context, chain.id, symbols ?? [], mostRows),
      }))
    },
  }),
  defineChainRead('getToken', {
    summary: 'Name, symbol and decimals of a token.',
    input: { token: address },
    read: ({ context, chain, key }, { token }) =>
      answerFromNode(chain, key, async () => {
        const [found] = await readTokens(context, chain, [token])
        if (!found || (found.decimals === undefined && found.symbol === undefined))
          throw new CountersignError('ObjectNotFound', `There is no token at ${token}.`)
        return { block: await chain.head(), result: describeToken(found) }
      }),
  }),
  defineChainRead('getTokenPrice', {
    summary: 'The price of a token by the deepest pool on the chain; 101 where there is none.',
    input: { token: address, exchange: text.optional(), block: blockTag },
    read: ({ chain, key }, { token, exchange, block }) =>
      answerFromNode(chain, key, async () => {
        const [price] = await getTokenPrices(chain, { tokens: [token], block, ...(exchange && { exchange }) })
        if (!price) throw new CountersignError('ObjectNotFound', 'No pool that is known here trades this token.')
        return { block: price.block, result: describePrice(chain, price) }
      }),
  }),
  defineChainRead('getAllowance', {
    summary: "How much of an owner's token a spender may take.",
    input: { token: address, owner: address, spender: address, block: blockTag },
    read: ({ chain, key }, input) =>
      answerFromNode(chain, key, async () => {
        const { allowance, block } = await getAllowance(chain, input)
        return { block, result: { allowance: allowance.toString() } }
      }),
  }),
  defineChainRead('getPair', {
    summary: 'Where an exchange trades two tokens, and what the pool holds.',
    input: { tokenA: address, tokenB: address, exchange: text, block: blockTag },
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
            token0: first,
            token1: second,
            ...(reserves && { reserve0: reserves.reserve0.toString(), reserve1: reserves.reserve1.toString() }),
          },
        }
      }),
  }),
]
