import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { serverEntry } from '../competitors/countersign.mjs'
import { measureIndexing } from './measureIndexing.mjs'

/**
 * The same logs as events of contracts, each kind in a class of its own.
 *
 * @param {import('./measureIndexing.mjs').SyntheticFacts} chain
 */
const listEvents = ({ tokens, pictures }) => [
  {
    class: 'Paid',
    event: 'event Transfer(address indexed from, address indexed to, uint256 value)',
    contracts: tokens.filter((token) => !pictures.includes(token)),
  },
  {
    class: 'Handed',
    event: 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    contracts: pictures,
  },
]

/**
 * Our server as shipped, told to index the whole chain, or the contracts on it by name, or their events.
 *
 * @param {{ chain: import('./measureIndexing.mjs').SyntheticFacts, databaseUrl: string, postmasterPid: number, mode: string, concurrency: number }} place
 */
export async function indexWithCountersign({ chain, databaseUrl, postmasterPid, mode, concurrency }) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-chain-'))
  const contracts = mode === 'contracts' ? { contracts: chain.tokens, startBlock: 0 } : {}
  const isEvents = mode === 'events'
  const index = { mode: isEvents ? 'off' : mode, ...contracts, concurrency, pollInterval: 100 }
  const events = isEvents ? listEvents(chain) : []
  const settings = { id: chain.chainId, rpcUrls: [chain.url], requestsPerSecond: 10_000, batchSize: 100, index, events }
  writeFileSync(join(folder, 'countersign.config.json'), JSON.stringify({ chains: [settings] }))
  try {
    return await measureIndexing({
      name: 'countersign',
      databaseUrl,
      postmasterPid,
      cwd: folder,
      args: [serverEntry, 'start'],
      env: { PORT: String(await findFreePort()), COUNTERSIGN_LOG_LEVEL: 'warn', COUNTERSIGN_DATA: folder },
      hasBegun: async (ask) => (await ask('select 1 from countersign.chain_work limit 1')).length > 0,
      isDone: async (ask) => {
        const [state] = await ask(`select tip >= head and planned is not null and not exists (
          select from countersign.chain_syncs where phase <> 'follow') and not exists (
          select from countersign.chain_work where next <= last) as done from countersign.chain_state`)
        return state?.done === true
      },
      count: isEvents
        ? 'select (select count(*) from "Paid") + (select count(*) from "Handed") as count'
        : 'select count(*) as count from "Transfer"',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
