import type { Address } from 'viem'
import type { Random } from '../createRandom.ts'
import type { Actor } from './createActor.ts'
import type { World } from './World.ts'

/** Somebody pours a little into one side of a pool, and the price is another one. */
export async function moveMarket(actor: Actor, { tokens, wrapped, exchanges }: World, random: Random): Promise<void> {
  const token = random.pick(tokens.filter(({ symbol }) => ['DUSD', 'HRBR', 'TIDE'].includes(symbol)))
  const pair = [token.address, wrapped] as const
  const pool = (await actor.read({
    contract: 'PairFactory',
    address: exchanges.v2,
    name: 'getPair',
    args: pair,
  })) as Address
  // More dollars for an ether more often than fewer: a market that goes up, mostly.
  const address = random.below(5) < (token.symbol === 'DUSD' ? 3 : 2) ? token.address : wrapped
  const coin = { contract: 'Token', address } as const
  const has = (await actor.read({ ...coin, name: 'balanceOf', args: [pool] })) as bigint
  await actor.send({ ...coin, name: 'mint', args: [pool, (has * BigInt(2 + random.below(24))) / 1000n] })
  await actor.send({ contract: 'Pair', address: pool, name: 'sync' })
}
