// node bench/chain/indexOurs.mjs --url <node> --databaseUrl <database> --chainId <id> --logs <how many there are>
// Indexes the whole chain of a node with our indexer, in this process, and prints how long it took as one line of JSON.
import { parseArgs } from 'node:util'
import { closeContext, createContext } from '../../packages/server/dist/context/createContext.js'
import { createLogger } from '../../packages/server/dist/context/createLogger.js'
import { readConfig } from '../../packages/server/dist/config/readConfig.js'
import { listIndexStatus } from '../../packages/server/dist/chain/index/listIndexStatus.js'
import { startIndexer } from '../../packages/server/dist/chain/index/startIndexer.js'
import { createChains } from '../../packages/server/dist/chain/nodes/createChains.js'

const text = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: { url: text, databaseUrl: text, chainId: text, logs: text, concurrency: text },
})
const began = performance.now()
const chain = { id: Number(values.chainId), rpcUrls: [String(values.url)], requestsPerSecond: 10_000, batchSize: 100 }
const index = { mode: /** @type {const} */ ('all'), concurrency: Number(values.concurrency ?? 3) }
const config = await readConfig({
  environment: {},
  folder: '/nonexistent',
  flags: { ...(values.databaseUrl && { databaseUrl: values.databaseUrl }), chains: [{ ...chain, index }] },
})
const options = { config, log: createLogger('warn') }
const context = await createContext(options)
const ready = performance.now()
const indexer = await startIndexer(context, createChains(context))
for (;;) {
  const [status] = await listIndexStatus(context)
  if (status?.status === 'SYNCED') break
  await new Promise((resolve) => setTimeout(resolve, 50))
}
const done = performance.now()
const [row] = await context.db.query({ text: 'select count(*) as count from "Transfer"' })
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    rows: row?.count,
    seconds: (done - began) / 1000,
    indexingSeconds: (done - ready) / 1000,
    logsPerSecond: Math.round(Number(row?.count) / ((done - ready) / 1000)),
    cpuSeconds: (user + system) / 1e6,
    rssMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  }),
)
await indexer.stop()
await closeContext(context, options)
