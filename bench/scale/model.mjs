// node bench/scale/model.mjs [results.x64.json]
// Servers, database and monthly price for 10,000 to 10 million monthly users, calculated from the figures of the last
// `npm run bench`. docs/scaling.md lists the assumptions and shows the table.
import { readFileSync } from 'node:fs'

const file = process.argv[2] ?? new URL('../results.x64.json', import.meta.url)
/** @type {{ date: string, workloads: Record<string, Record<string, { cpuUs: number, dbCpuUs: number }>> }} */
const { date, workloads } = JSON.parse(readFileSync(file, 'utf8'))

/** CPU of a request, in seconds. @param {string} workload */
function costOf(workload) {
  const figures = workloads[workload]?.countersign
  if (!figures) throw new Error(`${file} has no figures of ${workload}: run \`npm run bench\` as a whole.`)
  return { server: figures.cpuUs / 1e6, database: figures.dbCpuUs / 1e6 }
}

const [byId, query, create, event] = ['objectRead', 'objectQuery', 'objectCreate', 'liveFanOut'].map(costOf)
const mix = (/** @type {'server' | 'database'} */ part) => 0.8 * byId[part] + 0.2 * query[part]
const password = 0.06
const otherSignIn = 0.003
const openSocket = 4e-6
/** A server with subscribers reads the log at most so many times a second. */
const mostLogReads = 330
const logRead = { server: 0.0003, database: 0.0002 }
/** A write to a class with subscribers. */
const logWrite = 0.00015
const socketsPerServer = 20_000
const databaseSizes = [2, 4, 8, 16, 32, 64]

/** @param {number} users monthly */
function plan(users) {
  const daily = 0.2 * users
  const busy = (/** @type {number} */ each) => (daily * each * 0.1) / 3600
  const [reads, writes, signIns] = [busy(50), busy(10), busy(0.2)]
  const sockets = 0.1 * daily
  const work =
    reads * mix('server') +
    writes * (create.server + 20 * event.server) +
    (signIns * (password + otherSignIn)) / 2 +
    sockets * openSocket
  let servers = Math.max(2, Math.ceil(sockets / socketsPerServer))
  // Every server reads the log, so each one adds work of its own.
  while (2 * (work + servers * Math.min(writes, mostLogReads) * logRead.server) > servers) servers++
  const database =
    reads * mix('database') +
    writes * (create.database + logWrite) +
    servers * Math.min(writes, mostLogReads) * logRead.database
  const cores = databaseSizes.find((size) => database <= 0.4 * size) ?? Number.NaN
  const stored = (50 * users) / 1e6
  const sent = (30 * daily * (60 * 3 + 10 * 20 * 0.6)) / 1e6
  const dollars = servers * 25 + 2 * cores * 75 + stored * 0.25 + sent * 0.05
  return [
    Number((reads + writes).toPrecision(2)),
    sockets,
    servers,
    cores,
    stored,
    Math.round(sent),
    Math.round(dollars),
  ]
}

const sizes = [10_000, 100_000, 1_000_000, 10_000_000]
const plans = sizes.map(plan)
const names = [
  'requests a second',
  'sockets',
  'servers',
  'database vCPUs',
  'stored, GB',
  'sent, GB a month',
  'dollars a month',
]
console.log(
  `figures of ${date.slice(0, 10)}\n\n| monthly users | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`,
)
console.log(`|---|${'---:|'.repeat(sizes.length)}`)
for (const [row, name] of names.entries()) {
  console.log(`| ${name} | ${plans.map((each) => each[row].toLocaleString('en')).join(' | ')} |`)
}
