import { type Address, parseEther, parseUnits } from 'viem'
import { deployer } from '../chain/deployer.ts'
import type { Actor } from './createActor.ts'
import { giveName } from './giveName.ts'
import { mintPicture } from './mintPicture.ts'
import type { World } from './World.ts'

/** The badge that is minted to a wallet once, and so tells whether it was welcomed. */
export const welcomeBadge = 100n

/** Gifts for a linked wallet: ether, some of each token, a picture of each collection, a badge and a name. */
export async function giveWelcome(actor: Actor, world: World, address: Address): Promise<void> {
  const badge = { contract: 'Badges', address: world.badges, name: 'mint' } as const
  await actor.send({ ...badge, args: [address, welcomeBadge, 1n] })
  await actor.pay(deployer.address, address, parseEther('5'))
  for (const token of world.tokens) {
    const args = [address, parseUnits(token.usual, token.decimals)]
    await actor.send({ contract: 'Token', address: token.address, name: 'mint', args })
  }
  // From the address, so that no two wallets want the same.
  const number = 1000 + (Number.parseInt(address.slice(2, 10), 16) % 1_000_000)
  for (const collection of world.collections) await mintPicture(actor, collection, { number, owner: address })
  await giveName(actor, world, { label: `guest-${address.slice(2, 8).toLowerCase()}`, address })
}
