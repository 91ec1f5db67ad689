import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Actor, createActor } from './createActor.ts'
import { deployWorld } from './deployWorld.ts'
import { ReplayError } from './ReplayError.ts'
import { seedHistory } from './seedHistory.ts'
import { type Node, startNode } from './startNode.ts'
import type { World } from './World.ts'

const chainId = 31_337
const weeks = 6

export type DemoChain = { node: Node; actor: Actor; world: World }

/** The chain of the last start where the folder has one, a new one otherwise. */
export async function startDemoChain(folder: string): Promise<DemoChain> {
  const journal = join(folder, 'chain.jsonl')
  const file = join(folder, 'world.json')
  if (existsSync(file)) {
    try {
      const world = JSON.parse(readFileSync(file, 'utf8')) as World
      const node = await startNode({ chainId, genesisTime: world.genesisTime, journal })
      return { node, actor: createActor(node), world }
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error
      process.stdout.write(`${error.message} The demo starts over.\n`)
    }
  }
  // The server's data is about a chain that no longer exists.
  if (existsSync(journal)) {
    for (const gone of [journal, file, join(folder, 'server')]) rmSync(gone, { recursive: true, force: true })
  }
  const now = Math.floor(Date.now() / 1000)
  const genesisTime = now - weeks * 7 * 24 * 3600
  const node = await startNode({ chainId, genesisTime, journal })
  const actor = createActor(node)
  actor.setTime(genesisTime + 1)
  const world = await deployWorld(actor, chainId, genesisTime)
  await seedHistory(actor, world, now)
  writeFileSync(file, JSON.stringify(world, null, 2))
  return { node, actor, world }
}
