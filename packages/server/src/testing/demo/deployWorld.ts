import type { Actor } from './createActor.ts'
import { createTokenUri } from './createTokenUri.ts'
import { openNames } from './openNames.ts'
import { openPools } from './openPools.ts'
import type { DemoCollection, DemoToken, World } from './World.ts'

/** Tokens with all usual decimals, and one without a pool: its price is unknown. */
const tokens = [
  { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18, usual: '2' },
  { name: 'Demo Dollar', symbol: 'DUSD', decimals: 6, usual: '1500' },
  { name: 'Demo Bitcoin', symbol: 'DBTC', decimals: 8, usual: '0.12' },
  { name: 'Harbour', symbol: 'HRBR', decimals: 18, usual: '400' },
  { name: 'Tide', symbol: 'TIDE', decimals: 2, usual: '2500' },
  { name: 'Loaf', symbol: 'LOAF', decimals: 0, usual: '24' },
]

const collections = [
  { name: 'Lanterns', symbol: 'LNTN', count: 14 },
  { name: 'Tiles', symbol: 'TILE', count: 10 },
]

/** Deploys every contract of the demo. */
export async function deployWorld(actor: Actor, chainId: number, genesisTime: number): Promise<World> {
  const multicall = await actor.deploy('Multicall3')
  const made: DemoToken[] = []
  for (const { name, ...token } of tokens) {
    made.push({ ...token, address: await actor.deploy('Token', [name, token.symbol, token.decimals]) })
  }
  const [wrapped, dollar, ...others] = made
  if (!wrapped || !dollar) throw new Error('There are no tokens.')
  const pictures: DemoCollection[] = []
  for (const { name, symbol, count } of collections) {
    pictures.push({ address: await actor.deploy('Pictures', [name, symbol]), name, count })
  }
  const about = { name: 'Demo badge', description: 'Everyone who links a wallet gets one.' }
  const badges = await actor.deploy('Badges', ['Demo badges', 'BDG', createTokenUri('badge', 1, about)])
  const names = await openNames(actor)
  const exchanges = await openPools(actor, { wrapped, dollar, others })
  return {
    chainId,
    genesisTime,
    tokens: made,
    collections: pictures,
    badges,
    names,
    multicall,
    exchanges,
    wrapped: wrapped.address,
    dollar: dollar.address,
  }
}
