import type { Address } from 'viem'
import type { Actor } from './createActor.ts'
import { createTokenUri } from './createTokenUri.ts'
import type { DemoCollection } from './World.ts'

/** Makes one more NFT of a collection, with its picture. */
export async function mintPicture(
  actor: Actor,
  { address, name: collection }: DemoCollection,
  { number, owner }: { number: number; owner: Address },
): Promise<void> {
  const style = collection === 'Tiles' ? 'tiles' : 'lanterns'
  const uri = createTokenUri(style, number, {
    name: `${collection} #${number}`,
    description: `Number ${number} of the ${collection} of the demo.`,
    traits: { Row: 1 + ((number - 1) % 4), Hour: ['dawn', 'noon', 'dusk', 'night'][number % 4] ?? 'noon' },
  })
  await actor.send({ contract: 'Pictures', address, name: 'mint', args: [owner, BigInt(number), uri] })
}
