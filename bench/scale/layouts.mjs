// node bench/scale/layouts.mjs [--sides plain,partitioned,replica,distributed] [--rows 1000000] [--shards 32] [--requests 200]
// The same class as one table, in 16 partitions, with a read replica, and distributed over the workers of a Citus cluster:
// duration of a request, and its processor time in the server and in PostgreSQL (all nodes; with a replica the primary
// alone). All sides must give the same results. `distributed` needs TEST_CITUS_URL and TEST_CITUS_WORKERS (with commas),
// with nodes on this machine and a superuser. Needs `npm run build`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startStandby } from '../../scripts/steps/servers/startStandby.mjs'
import { countersign } from '../competitors/countersign.mjs'
import { createSend } from '../growth/createSend.mjs'
import { measureRequest } from '../growth/measureRequest.mjs'
import { openConnection } from '../load/openConnection.mjs'
import { createDatabases } from '../process/createDatabases.mjs'
import { startCompetitor } from '../process/startCompetitor.mjs'

const text = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({ options: { sides: text, rows: text, shards: text, requests: text } })
const names = (values.sides ?? 'plain,partitioned,replica').split(',')
const rows = Number(values.rows ?? 1_000_000)
const shards = Number(values.shards ?? 32)
const requests = Number(values.requests ?? 200)
/** Rows in one statement, so that the run shows how far it is. */
const step = 500_000

const { TEST_CITUS_URL: coordinator = '', TEST_CITUS_WORKERS: workerList = '' } = process.env
const workers = workerList.split(',').filter(Boolean)
const database = `layouts_${process.pid}`

/** @type {(() => Promise<unknown>)[]} */
const stops = []
const folder = mkdtempSync(join(tmpdir(), 'countersign-distributed-'))

/**
 * @typedef {object} Side
 * @property {string} table
 * @property {string} url
 * @property {number[]} postmasters
 * @property {import('../types.d.ts').Competitor} competitor
 * @property {string} [allows] added to queries
 */

/** The server with a configuration. @param {object} config @param {Record<string, string>} [env] */
const withConfig = (config, env = {}) => ({
  ...countersign,
  program: (/** @type {Parameters<typeof countersign.program>[0]} */ given) => {
    const program = countersign.program(given)
    const file = join(given.dataFolder, 'countersign.config.json')
    writeFileSync(file, JSON.stringify(config))
    return { ...program, env: { ...program.env, ...env, COUNTERSIGN_CONFIG: file } }
  },
})

/** @param {object} [config] */
async function openPlain(config = {}) {
  const settings = {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: '512MB',
    jit: 'off',
  }
  const postgres = await startPostgres({ settings: { ...settings, max_wal_size: '8GB' } })
  stops.push(() => postgres.stop())
  const { urls } = await createDatabases(postgres.url, [database])
  const url = urls.get(database) ?? ''
  return { postgres, table: 'public."Score"', url, postmasters: [postgres.pid()], competitor: withConfig(config) }
}

/** @type {Record<string, () => Promise<Side>>} */
const sides = {
  plain: openPlain,
  partitioned: () => openPlain({ partition: { Score: { by: 'hash', parts: 16 } } }),
  replica: async () => {
    const { postgres, ...side } = await openPlain()
    const standby = await startStandby(postgres, { hot_standby_feedback: 'on' })
    stops.push(async () => {
      await standby.stop()
      rmSync(standby.dir, { recursive: true, force: true })
    })
    const replica = Object.assign(new URL(standby.url), { pathname: database }).href
    return { ...side, competitor: withConfig({}, { COUNTERSIGN_REPLICA_URL: replica }), allows: 'maxStaleness=30' }
  },
  distributed: async () => {
    if (!coordinator || workers.length === 0) throw new Error('Set TEST_CITUS_URL and TEST_CITUS_WORKERS.')
    const postmasters = []
    for (const node of [coordinator, ...workers]) {
      await createDatabases(node, [database])
      stops.push(() => run(node, `drop database ${database} with (force)`))
      await run(at(node), 'create extension citus')
      const [{ pid }] = await run(node, `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`)
      postmasters.push(pid)
    }
    await run(at(coordinator), `select citus_set_coordinator_host(${placeOf(coordinator)})`)
    for (const worker of workers) await run(at(coordinator), `select citus_add_node(${placeOf(worker)})`)
    const competitor = withConfig({ distribute: { Score: { shards } } })
    return { table: 'countersign_shards."Score"', url: at(coordinator), postmasters, competitor }
  },
}

const at = (/** @type {string} */ node) => Object.assign(new URL(node), { pathname: database }).href

function placeOf(/** @type {string} */ node) {
  const { hostname, port } = new URL(node)
  return `'${hostname}', ${port}`
}

/** @param {string} url @param {string} statement @returns {Promise<any[]>} */
async function run(url, statement) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const fields = { level: { type: 'Number' }, points: { type: 'Number' }, player: { type: 'String' } }
const indexes = { points: { points: 1 }, level: { level: 1 } }

/** @param {Pick<Side, 'table' | 'url'>} side */
async function fill({ table, url }) {
  const began = performance.now()
  for (let from = 1; from <= rows; from += step) {
    await run(
      url,
      `insert into ${table} ("objectId", "createdAt", "updatedAt", level, points, player)
       select 's' || n, now(), now(), n / 20, n * 7::bigint, 'player ' || n % 977
       from generate_series(${from}, ${Math.min(from + step - 1, rows)}) n`,
    )
    console.error(`${table}: ${Math.min(from + step - 1, rows)} rows after ${seconds(began)} s`)
  }
  // Outside a transaction, which a cluster needs, too.
  await run(url, `vacuum analyze ${table}`)
}

const seconds = (/** @type {number} */ began) => Math.round((performance.now() - began) / 1000)
const find = (/** @type {Record<string, string | number>} */ input) =>
  `/classes/Score?${new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))}`

/** The requests, by name. @param {ReturnType<typeof createSend>} send @param {string} allows */
function listRequests(send, allows) {
  let turn = 0
  const next = () => (++turn * 7919) % rows
  /** @type {Record<string, () => Promise<any>>} */
  const asks = {
    'read by id': () => send({ path: `/classes/Score/s${1 + next()}?${allows}` }),
    'sorted page of 20': () => send({ path: `${find({ order: '-points', limit: 20 })}&${allows}` }),
    'filtered page of 20': () =>
      send({
        path: `${find({ where: `{"level":${Math.floor(next() / 20)}}`, order: 'points', limit: 20 })}&${allows}`,
      }),
    'count, estimated': () => send({ path: find({ count: 'estimate', limit: 0 }) }),
    create: () => send({ method: 'POST', path: '/classes/Score', body: { level: -1, points: -1 } }),
    update: () => send({ method: 'PUT', path: `/classes/Score/s${1 + next()}`, body: { level: -2 } }),
  }
  return asks
}

/** @param {Side} side */
async function measureSide({ table, url, postmasters, competitor, allows = '' }) {
  /** @type {(() => Promise<void>)[]} */
  const ends = []
  const context = {
    signal: new AbortController().signal,
    folder,
    onExit: (/** @type {() => Promise<void>} */ stop) => void ends.push(stop),
  }
  const server = await startCompetitor(context, competitor, url)
  const connection = await openConnection(server.target.port)
  try {
    const send = createSend(connection, server.target)
    const asks = listRequests(send, allows)
    await send({ method: 'POST', path: '/schemas/Score', body: { className: 'Score', fields, indexes } })
    await fill({ table, url })
    const answers = []
    for (const name of ['read by id', 'sorted page of 20', 'filtered page of 20'])
      answers.push(withoutTimes(await asks[name]()))
    /** @type {Map<string, Awaited<ReturnType<typeof measureRequest>>>} */
    const figures = new Map()
    for (const [name, ask] of Object.entries(asks)) {
      const measured = await measureRequest(ask, { pid: server.pid, postmasters, requests })
      figures.set(name, measured)
      console.error(`${table}: ${name} ${measured.milliseconds.toFixed(1)} ms`)
    }
    return { answers: JSON.stringify(answers), estimate: (await asks['count, estimated']()).count, figures }
  } finally {
    connection.close()
    for (const end of ends) await end()
  }
}

const withoutTimes = (/** @type {object} */ answer) =>
  JSON.parse(JSON.stringify(answer, (key, value) => (/edAt$/.test(key) ? undefined : value)))

try {
  const unknown = names.find((name) => !(name in sides))
  if (unknown !== undefined) throw new Error(`--sides takes ${Object.keys(sides).join(', ')}, not "${unknown}"`)
  console.log(`${rows} rows, load before: ${loadavg()[0]?.toFixed(1)}\n`)
  /** @type {Map<string, Awaited<ReturnType<typeof measureSide>>>} */
  const found = new Map()
  for (const name of names) found.set(name, await measureSide(await sides[name]()))
  console.log(`| request |${names.map((name) => ` ${name} ms | server µs | database µs |`).join('')}`)
  console.log(`|---|${'---:|---:|---:|'.repeat(names.length)}`)
  const [first] = found.values()
  for (const request of first?.figures.keys() ?? []) {
    const cells = [...found.values()].flatMap(({ figures }) => {
      const { milliseconds = 0, server = 0, database: nodes = 0 } = figures.get(request) ?? {}
      return [milliseconds.toFixed(1), Math.round(server), Math.round(nodes)]
    })
    console.log(`| ${request} | ${cells.join(' | ')} |`)
  }
  const estimates = [...found.values()].map(({ estimate }) => estimate)
  console.log(`\nestimated counts: ${estimates.join(', ')}; load after: ${loadavg()[0]?.toFixed(1)}`)
  const answers = [...found.values()].map((side) => side.answers)
  if (answers.some((each) => each !== answers[0])) {
    console.log(`different results:\n${answers.join('\n')}`)
    process.exitCode = 1
  } else console.log('all give the same results')
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
