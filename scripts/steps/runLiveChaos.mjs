import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { startPostgres } from '../postgres.mjs'

const entry = fileURLToPath(new URL('../../packages/server/src/testing/chaos/runChaos.ts', import.meta.url))

/**
 * Servers, sockets and writers on a database of their own, while everything goes wrong. The server has to be built.
 *
 * @param {{ sockets: number, seconds: number, writers: number, rate: number, servers: number, seed: number, say?(line: string): void }} options
 * @returns {Promise<{ faults: string[], writes: number, repeated: number, deliveries: number, resumed: number, disturbances: Record<string, number> }>}
 */
export async function runLiveChaos(options) {
  const { module } = await runnerImport(entry, { configFile: false, logLevel: 'warn' })
  return /** @type {any} */ (module).runChaos(startPostgres, options)
}
