import { namehash, zeroHash } from 'viem'
import { addNode } from './addNode.ts'
import type { Actor } from './createActor.ts'
import type { World } from './World.ts'

/** A registry of names with its roots: `eth`, and `addr.reverse` for the way back. */
export async function openNames(actor: Actor): Promise<World['names']> {
  const names = { registry: await actor.deploy('NameRegistry'), resolver: await actor.deploy('NameResolver') }
  await addNode(actor, names, zeroHash, 'eth')
  await addNode(actor, names, zeroHash, 'reverse')
  await addNode(actor, names, namehash('reverse'), 'addr')
  return names
}
