import { type Hex, labelhash } from 'viem'
import { deployer } from '../chain/deployer.ts'
import type { Actor } from './createActor.ts'
import type { World } from './World.ts'

/** Adds a name below another; the deployer keeps it. */
export const addNode = (
  actor: Actor,
  { registry, resolver }: World['names'],
  parent: Hex,
  label: string,
): Promise<void> =>
  actor.send({
    contract: 'NameRegistry',
    address: registry,
    name: 'setSubnodeRecord',
    args: [parent, labelhash(label), deployer.address, resolver, 0n],
  })
