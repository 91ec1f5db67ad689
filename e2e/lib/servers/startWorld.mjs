import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from '../createApi.mjs'
import { startServer } from './startServer.mjs'

const server = fileURLToPath(new URL('../../../packages/server/', import.meta.url))
const folder = `${server}src/testing/demo/`

/**
 * @typedef {object} World
 * @property {string} url
 * @property {() => Promise<void>} stop
 * @property {number} chain
 * @property {string} node the address of the chain's node
 * @property {string} wrapped the token that stands for the chain's own currency
 * @property {string} transaction a transfer of a token
 * @property {number} block its block
 */

/**
 * A server that has read the chain of the demo: six weeks of tokens, prices, pictures, names and transfers.
 *
 * @returns {Promise<World>}
 */
export async function startWorld() {
  const data = await mkdtemp(join(tmpdir(), 'countersign-world-'))
  const script = `
    import { createJiti } from 'jiti'
    const load = (name) => createJiti(${JSON.stringify(folder)}).import(${JSON.stringify(folder)} + name)
    const { startDemoChain } = await load('startDemoChain.ts')
    const { createConfig } = await load('createConfig.ts')
    process.on('disconnect', () => process.exit(0))
    const { node, world } = await startDemoChain(${JSON.stringify(data)})
    process.send({ config: createConfig(node, world), world })
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: server,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const end = async () => {
    child.kill()
    await exited
    await rm(data, { recursive: true, force: true })
  }
  try {
    /** @type {any} */
    const { config, world } = await new Promise((resolve, reject) => {
      child.once('message', resolve)
      void exited.then(() => reject(new Error('The chain ended.')))
    })
    const { url, stop } = await startServer({ usePublicNodes: false, chains: config.chains })
    const api = createApi(url)
    await untilRead(api, world.chainId)
    const { result } = await api.call('GET', `/chain/${world.chainId}/tokens/${world.dollar}/transfers?limit=1`)
    return {
      url,
      stop: async () => {
        await stop()
        await end()
      },
      chain: world.chainId,
      node: config.chains[0].rpcUrls[0],
      wrapped: world.wrapped,
      transaction: result[0].transaction,
      block: result[0].block.number,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * @param {ReturnType<typeof createApi>} api
 * @param {number} chain
 */
async function untilRead(api, chain) {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const { index } = await api.call('GET', `/chain/${chain}`)
    if (index?.status === 'SYNCED') return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The chain was not read in time.')
}
