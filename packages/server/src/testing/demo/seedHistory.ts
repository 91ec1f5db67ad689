import { parseEther, parseUnits } from 'viem'
import { deployer } from '../chain/deployer.ts'
import { createRandom } from '../createRandom.ts'
import type { Actor } from './createActor.ts'
import { giveName } from './giveName.ts'
import { makeTransfer } from './makeTransfer.ts'
import { mintPicture } from './mintPicture.ts'
import { moveMarket } from './moveMarket.ts'
import { ada, people } from './people.ts'
import type { World } from './World.ts'

const transfers = 320
/** How many transfers there are to a change of a price. */
const marketPace = 6
/** How many of the people have a name. */
const named = 8

/** Some weeks of life: everyone gets something, then it goes from hand to hand until a moment ago. */
export async function seedHistory(actor: Actor, world: World, now: number): Promise<void> {
  const random = createRandom(2026)
  // Of its own, so that the transfers are the same with any market.
  const market = createRandom(1906)
  for (const { account } of people) await actor.pay(deployer.address, account.address, parseEther('40'))
  for (const { address, decimals, usual } of world.tokens) {
    for (const { account } of people) {
      const amount = (parseUnits(usual, decimals) * BigInt(50 + random.below(400))) / 100n
      await actor.send({ contract: 'Token', address, name: 'mint', args: [account.address, amount] })
    }
  }
  for (const collection of world.collections) {
    for (let number = 1; number <= collection.count; number++) {
      // The first of each is ada's; the very first is her picture by her name.
      const owner = number === 1 ? ada : random.pick(people)
      await mintPicture(actor, collection, { number, owner: owner.account.address })
    }
  }
  for (const [place, { name, account }] of people.slice(0, named).entries()) {
    const avatar = `eip155:${world.chainId}/erc721:${world.collections[0]?.address}/1`
    await giveName(actor, world, { label: name, address: account.address, ...(place === 0 && { avatar }) })
  }
  const ids = [1n, 2n, 3n]
  for (const { account } of people) {
    const args = [account.address, ids, ids.map(() => BigInt(1 + random.below(9)))]
    await actor.send({ contract: 'Badges', address: world.badges, name: 'mintBatch', args })
  }
  const start = world.genesisTime + 3600
  const step = (now - 60 - start) / transfers
  for (let made = 0; made < transfers; made++) {
    actor.setTime(Math.floor(start + step * (made + random.below(1000) / 1000)))
    if (made % marketPace === 0) await moveMarket(actor, world, market)
    await makeTransfer(actor, world, random)
  }
  actor.setTime(undefined)
}
