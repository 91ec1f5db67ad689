import type { ConfigInput } from '../../config/Config.ts'
import { createScene } from '../chain/createScene.ts'
import { createTestServer } from '../createTestServer.ts'
import { createActors } from './createActors.ts'
import { createPool, type Pool } from './createPool.ts'
import { classNames, plantSecrets } from './plantSecrets.ts'
import type { World } from './World.ts'

const systemClasses = ['_User', '_Role', '_Session', '_Installation', '_Audience', '_JobStatus', '_PushStatus']

/**
 * A server with public and private rows. With `rights: 'user'`, random requests come from guests and users, and every
 * private row has a secret. With `master`, they come from operators and the master key, too, which may see everything.
 * With `chain`, the server has a node and an index of transfers, and cases name accounts, tokens and blocks of it.
 */
export async function createWorld(
  rights: 'user' | 'master',
  { chain = false, ...config }: ConfigInput & { chain?: boolean } = {},
): Promise<World> {
  const scene = chain ? await createScene() : undefined
  const chains = scene?.chainsWith({ mode: 'all', startBlock: 0 })
  const server = await createTestServer({
    rateLimit: [],
    overloadDelay: 0,
    logLevel: 'warn',
    ...(chains && { chains }),
    ...config,
  })
  const pool = createPool()
  pool.set('className', ['Note', 'Note', ...classNames, 'Fuzz', ...systemClasses, 'nosuch'])
  pool.set('username', ['victim'])
  pool.set('password', ['wrong password', 'a'])
  pool.set('email', ['nobody@example.com', 'x', 'A@EXAMPLE.com'])
  pool.set('installationId', ['fuzz-installation', 'other-installation'])
  pool.set('chain', ['1', 'eth', '0x1', 'local', '31337', 'x'])
  pool.set('token', ['r:0123456789abcdef0123456789abcdef'])
  const planted = await plantSecrets(server, pool)
  const { secrets, protectedIds, victim, symbols } = planted
  pool.add('userId', victim.id)
  for (const [className, ids] of protectedIds) for (const objectId of ids) pool.add('place', { className, objectId })
  const { actors, tend } = await createActors(server, pool, rights)
  if (scene) await addChainValues(scene, pool)
  for (const { name, id } of actors) if (id) symbols.set(id, name)
  // Of the other secrets, operators may see some, and may show them to others.
  if (rights === 'master') for (const [text, { readers }] of secrets) if (readers.size > 0) secrets.delete(text)
  const stop = async () => {
    await server.stop()
    await scene?.node.stop()
  }
  return { server, pool, actors, ...planted, tend, stop }
}

async function addChainValues(scene: Awaited<ReturnType<typeof createScene>>, pool: Pool): Promise<void> {
  const { alice, bob, creator, send, gold, usdc, weth, pictures, badges, main, multicall } = scene
  const hashes = [
    await send('Token', gold, 'mint', alice, 5n),
    await send('Token', usdc, 'mint', bob, 7n),
    await send('Pictures', pictures, 'mint', alice, 1n, 'data:application/json,{"name":"One"}'),
    await send('Badges', badges, 'mint', bob, 2n, 3n),
  ]
  pool.add('address', alice, bob, creator, gold, usdc, weth, pictures, badges, main, multicall)
  pool.set('hash', hashes)
}
