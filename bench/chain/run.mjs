// node bench/chain/run.mjs [--blocks 5000] [--logs 20] [--logTimes] [--mode all|contracts|events] [--concurrency 3] [--with-ponder [names]]
// Indexes a synthetic chain into PostgreSQL (fsync on) with the built server, and with ponder beside it, one after the
// other on the same node and the same cluster. A line of JSON for each, and a table at the end.
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { installDependencies } from '../../scripts/steps/installDependencies.mjs'
import { root } from '../../scripts/steps/root.mjs'
import { createDatabases } from '../process/createDatabases.mjs'
import { formatRuns } from './formatRuns.mjs'
import { indexWithCountersign } from './indexWithCountersign.mjs'
import { indexWithPonder, ponderRuns } from './indexWithPonder.mjs'
import { startSyntheticNode } from './startSyntheticNode.mjs'

/** @typedef {import('./measureIndexing.mjs').IndexingFigures} IndexingFigures */

const argv = process.argv.slice(2).map((word) => (word === '--with-ponder' ? `--ponder=${ponderRuns.join(',')}` : word))
const { values } = parseArgs({
  args: argv,
  options: {
    blocks: { type: 'string', default: '5000' },
    logs: { type: 'string', default: '20' },
    mode: { type: 'string', default: 'all' },
    concurrency: { type: 'string', default: '3' },
    logTimes: { type: 'boolean', default: false },
    ponder: { type: 'string', default: '' },
  },
})
const others = values.ponder.split(',').filter(Boolean)
for (const name of others)
  if (!ponderRuns.includes(name)) throw new Error(`--ponder takes ${ponderRuns.join(', ')}, not "${name}"`)
if (others.length > 0) await installDependencies(join(root, 'bench', 'ponder'))

const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '256MB' }
const postgres = await startPostgres({ settings: { ...settings, max_wal_size: '2GB' } })
const shape = { blocks: Number(values.blocks), logs: Number(values.logs), logTimes: values.logTimes }
const node = await startSyntheticNode(shape)

try {
  const { urls } = await createDatabases(postgres.url, ['first', 'second', ...ponderRuns])
  const place = {
    chain: node.chain,
    postmasterPid: postgres.pid(),
    mode: values.mode,
    concurrency: Number(values.concurrency),
  }
  /** @type {IndexingFigures[]} */
  const runs = []
  /** @param {() => Promise<IndexingFigures>} measure */
  const take = async (measure) => {
    const load = Number(loadavg()[0]?.toFixed(2))
    const before = (await node.asked()).requests
    const figures = { ...(await measure()), requests: (await node.asked()).requests - before, loadBefore: load }
    runs.push(figures)
    console.log(JSON.stringify(figures))
  }
  await take(() => indexWithCountersign({ ...place, databaseUrl: String(urls.get('first')) }))
  for (const name of others) {
    // Warm is the one before it once more, in another schema: what ponder read from the node is still there.
    const database = name === 'warm' ? (others.find((each) => each !== 'warm') ?? name) : name
    await take(() => indexWithPonder({ ...place, name, databaseUrl: String(urls.get(database)) }))
  }
  if (others.length > 0) {
    // Once more at the end: a busy moment of the machine is then seen.
    await take(() => indexWithCountersign({ ...place, databaseUrl: String(urls.get('second')) }))
    console.log(`\n${formatRuns(runs)}`)
  }
} finally {
  await node.stop()
  await postgres.stop()
}
