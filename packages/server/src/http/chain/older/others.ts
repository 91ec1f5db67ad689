import { CountersignError } from '@countersign/protocol'
import { chainFields } from '@countersign/protocol/contract'
import { z } from 'zod'
import type { BlockTag, Chain } from '../../../chain/nodes/Chain.ts'
import { dateToBlock } from '../../../chain/reads/dateToBlock.ts'
import { resolveName } from '../../../chain/reads/ens/resolveName.ts'
import { reverseName } from '../../../chain/reads/ens/reverseName.ts'
import { getPairAddress } from '../../../chain/reads/pairs/getPairAddress.ts'
import { getPairReserves } from '../../../chain/reads/pairs/getPairReserves.ts'
import { version } from '../../../version.ts'
import { defineBuiltIn } from '../../defineBuiltIn.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { readTokens } from '../readTokens.ts'
import { defineOlder } from './defineOlder.ts'
import { mapToken } from './mapToken.ts'
import { toBlock } from './olderFields.ts'
import { folderSchema, uploadFolder } from './uploadFolder.ts'

const { address, date, text } = chainFields

const resolveInput = { domain: text, currency: text.optional() }
const at = { to_block: toBlock, to_date: date.optional() }

const resolve = async (chain: Chain, domain: string) => {
  const found = await resolveName(chain, domain)
  if (!found) throw new CountersignError('ObjectNotFound', 'The name stands for nobody.')
  return { address: found.address }
}

export const otherFunctions: Endpoint[] = [
  ...['resolveDomain', 'resolveENSDomain'].map((name) =>
    defineOlder(name, {
      summary: 'The address that a name stands for.',
      input: resolveInput,
      holds: true,
      run: ({ chain }, { domain }) => resolve(chain, domain),
    }),
  ),
  defineOlder('resolveAddress', {
    summary: 'The name of an address, which leads back to it.',
    input: { address },
    holds: true,
    async run({ chain }, { address: wanted }) {
      const found = await reverseName(chain, wanted)
      if (!found) throw new CountersignError('ObjectNotFound', 'The address has no name.')
      return { name: found.name }
    },
  }),
  defineOlder('getPairReserves', {
    summary: 'What a pool in the shape of Uniswap v2 holds.',
    input: { pair_address: address, ...at },
    holds: true,
    async run({ chain }, { pair_address: pair, to_block, to_date }) {
      const { reserve0, reserve1 } = await getPairReserves(chain, {
        pair,
        block: await blockAt(chain, to_block, to_date),
      })
      return { reserve0: reserve0.toString(), reserve1: reserve1.toString() }
    },
  }),
  defineOlder('getPairAddress', {
    summary: 'Where an exchange trades two tokens.',
    input: { token0_address: address, token1_address: address, exchange: text, ...at },
    holds: true,
    async run({ context, chain }, { token0_address: tokenA, token1_address: tokenB, exchange, to_block, to_date }) {
      const block = await blockAt(chain, to_block, to_date)
      const { pair, token0, token1 } = await getPairAddress(chain, { tokenA, tokenB, exchange, block })
      const [first, second] = (await readTokens(context, chain, [token0, token1])).map(mapToken)
      return { token0: first, token1: second, pairAddress: pair }
    },
  }),
  defineBuiltIn('uploadFolder', {
    name: 'web3Api_uploadFolder',
    summary: 'Save files to IPFS as one folder.',
    describedInput: folderSchema,
    handle: async ({ context, caller, input: body }) => ({ result: await uploadFolder(context, caller, body) }),
  }),
  defineBuiltIn('web3ApiVersion', {
    name: 'web3Api_web3ApiVersion',
    summary: 'The version of this server.',
    handle: async () => ({ result: { version } }),
  }),
]

async function blockAt(chain: Chain, block: BlockTag, day: Date | undefined): Promise<BlockTag> {
  return block === 'latest' && day ? (await dateToBlock(chain, day)).number : block
}

/** What takes data from outside of chains. */
const missing: Record<string, string> = {
  getNFTTrades: 'the orders of marketplaces',
  getNFTLowestPrice: 'the orders of marketplaces',
  searchNFTs: 'an index of the metadata of all collectibles',
  getTopERC20TokensByMarketCap: 'market data',
  getTopERC20TokensByPriceMovers: 'market data',
  getTopNFTCollectionsByMarketCap: 'market data',
  getHottestNFTCollectionsByTradingVolume: 'market data',
  reviewContracts: 'people who look at what is reported',
}

export const missingFunctions: Endpoint[] = Object.entries(missing).map(([name, need]) =>
  defineBuiltIn(name, {
    name: `web3Api_${name}`,
    summary: `Not available here: it takes ${need}.`,
    describedInput: z.looseObject({}),
    async handle() {
      throw new CountersignError('CommandUnavailable', `${name} is not available here: it takes ${need}.`, {
        details: 'See docs/chain-data.md.',
      })
    },
  }),
)
