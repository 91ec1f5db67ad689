import { type Address, namehash } from 'viem'
import { addNode } from './addNode.ts'
import type { Actor } from './createActor.ts'
import type { World } from './World.ts'

/** Gives an address a name that leads to it and back, and a picture where there is one. */
export async function giveName(
  actor: Actor,
  { names }: World,
  { label, address, avatar }: { label: string; address: Address; avatar?: string },
): Promise<void> {
  const way = address.slice(2).toLowerCase()
  await addNode(actor, names, namehash('eth'), label)
  await addNode(actor, names, namehash('addr.reverse'), way)
  const set = (name: string, args: readonly unknown[]) =>
    actor.send({ contract: 'NameResolver', address: names.resolver, name, args })
  const node = namehash(`${label}.eth`)
  await set('setAddr', [node, address])
  await set('setName', [namehash(`${way}.addr.reverse`), `${label}.eth`])
  if (avatar) await set('setText', [node, 'avatar', avatar])
}
