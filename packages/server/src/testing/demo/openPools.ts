import { type Address, parseUnits } from 'viem'
import type { Actor } from './createActor.ts'
import type { DemoToken, World } from './World.ts'

/** How many whole tokens one ether buys, and in which kind of pool. */
const rates: Record<string, { perEther: string; kind: 'v2' | 'v3' }> = {
  DUSD: { perEther: '3200', kind: 'v2' },
  DBTC: { perEther: '0.04', kind: 'v3' },
  HRBR: { perEther: '1250', kind: 'v2' },
  TIDE: { perEther: '8000', kind: 'v2' },
}

const depth = 500n

/** Pools with wrapped ether, from which prices follow. */
export async function openPools(
  actor: Actor,
  { wrapped, dollar, others }: { wrapped: DemoToken; dollar: DemoToken; others: DemoToken[] },
): Promise<World['exchanges']> {
  const v2 = await actor.deploy('PairFactory')
  const v3 = await actor.deploy('PoolFactory')
  for (const token of [dollar, ...others]) {
    const rate = rates[token.symbol]
    if (!rate) continue
    const pair: [Address, Address] = [token.address, wrapped.address]
    const pool = rate.kind === 'v2' ? await createPair(actor, v2, pair) : await createPool(actor, v3, pair)
    const amounts = [parseUnits(rate.perEther, token.decimals) * depth, parseUnits('1', 18) * depth] as const
    for (const [place, address] of pair.entries()) {
      await actor.send({ contract: 'Token', address, name: 'mint', args: [pool, amounts[place]] })
    }
    if (rate.kind === 'v2') await actor.send({ contract: 'Pair', address: pool, name: 'sync' })
    else {
      const [own, ether] = amounts
      const isFirst = token.address.toLowerCase() < wrapped.address.toLowerCase()
      const price = isFirst ? (ether << 192n) / own : (own << 192n) / ether
      await actor.send({ contract: 'Pool', address: pool, name: 'set', args: [squareRoot(price), 10n ** 18n] })
    }
  }
  return { v2, v3 }
}

async function createPair(actor: Actor, address: Address, pair: [Address, Address]): Promise<Address> {
  await actor.send({ contract: 'PairFactory', address, name: 'createPair', args: pair })
  return (await actor.read({ contract: 'PairFactory', address, name: 'getPair', args: pair })) as Address
}

async function createPool(actor: Actor, address: Address, pair: [Address, Address]): Promise<Address> {
  const args = [...pair, 3000]
  await actor.send({ contract: 'PoolFactory', address, name: 'createPool', args })
  return (await actor.read({ contract: 'PoolFactory', address, name: 'getPool', args })) as Address
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
