import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { measureIndexing } from './measureIndexing.mjs'

const folder = fileURLToPath(new URL('../ponder/', import.meta.url))
const entry = fileURLToPath(new URL('../ponder/node_modules/ponder/dist/esm/bin/ponder.js', import.meta.url))

/**
 * shipped: one endpoint, of which ponder asks 20 requests a second at first. unthrottled: the same node under 25
 * addresses, each of which gets as many. warm: indexed again from what ponder kept of the node's responses.
 */
export const ponderRuns = ['unthrottled', 'warm', 'shipped']
const endpoints = 25

/**
 * @param {{ name: string, chain: import('./measureIndexing.mjs').SyntheticFacts, databaseUrl: string, postmasterPid: number }} place
 */
export async function indexWithPonder({ name, chain, databaseUrl, postmasterPid }) {
  const port = await findFreePort()
  const pictures = new Set(chain.pictures)
  const urls = name === 'shipped' ? [chain.url] : Array.from({ length: endpoints }, (_, at) => `${chain.url}/${at}`)
  const answers = async (/** @type {string} */ path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    )
    return response?.ok === true
  }
  return measureIndexing({
    name: `ponder, ${name}`,
    databaseUrl,
    postmasterPid,
    cwd: folder,
    args: [entry, 'start', '--schema', name, '--port', String(port), '--hostname', '127.0.0.1', '--log-level', 'warn'],
    env: {
      PONDER_TELEMETRY_DISABLED: 'true',
      CHAIN_ID: String(chain.chainId),
      RPC_URLS: urls.join(','),
      COINS: chain.tokens.filter((token) => !pictures.has(token)).join(','),
      PICTURES: chain.pictures.join(','),
    },
    hasBegun: () => answers('/health'),
    isDone: () => answers('/ready'),
    count: `select count(*) as count from "${name}".transfer`,
  })
}
