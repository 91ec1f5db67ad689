// node bench/growth/run.mjs [--quick] [--rows 1000,100000,5000000] [--requests 300] [--part rows,fields]
// How the cost of a request grows with rows, roles, classes, subscriptions, fields and the size of a document, in
// processor time of server and database. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { countersign } from '../competitors/countersign.mjs'
import { openConnection } from '../load/openConnection.mjs'
import { createDatabases } from '../process/createDatabases.mjs'
import { startCompetitor } from '../process/startCompetitor.mjs'
import { createSend } from './createSend.mjs'
import { dimensions } from './dimensions.mjs'
import { markGrowth } from './markGrowth.mjs'
import { measureRequest } from './measureRequest.mjs'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    requests: { type: 'string' },
    part: { type: 'string' },
  },
})
const requests = Number(values.requests ?? (values.quick ? 60 : 300))
const parts = values.part?.split(',') ?? Object.keys(dimensions)
const unknown = parts.find((part) => !(part in dimensions))
if (unknown !== undefined) throw new Error(`--part takes ${Object.keys(dimensions).join(', ')}, not "${unknown}"`)

/** @type {(() => Promise<void>)[]} */
const stops = []
const folder = mkdtempSync(join(tmpdir(), 'countersign-growth-'))

/** @param {string} name */
function sizesOf(name) {
  if (name === 'rows' && values.rows) return values.rows.split(',').map(Number)
  const { sizes, quick } = dimensions[name]
  return values.quick ? quick : sizes
}

async function main() {
  const settings = { shared_buffers: '256MB', max_connections: 200, max_wal_size: '4GB' }
  const postgres = await startPostgres({ settings })
  stops.push(() => postgres.stop())
  let isWorse = false
  for (const name of parts) {
    const { about, costs } = dimensions[name]
    console.log(`\n## ${name}: ${about}\n`)
    console.log('| request | size | server µs | database µs | mark |\n|---|---:|---:|---:|---|')
    /** @type {Map<string, { size: number, server: number, database: number }[]>} */
    const curves = new Map()
    // A database of its own for each size, so that no size is measured on the leftovers of another.
    for (const size of sizesOf(name)) {
      for (const [request, figures] of await measureSize(postgres, name, size)) {
        curves.set(request, [...(curves.get(request) ?? []), { size, ...figures }])
      }
    }
    for (const [request, points] of curves) {
      const mark = markGrowth(points, costs[request])
      isWorse ||= mark.startsWith('worse')
      for (const [place, { size, server, database }] of points.entries()) {
        const shown = place === points.length - 1 ? mark : ''
        console.log(`| ${request} | ${size} | ${Math.round(server)} | ${Math.round(database)} | ${shown} |`)
      }
    }
  }
  if (isWorse) process.exitCode = 1
}

/** @param {import('../../scripts/postgres.mjs').Postgres} postgres @param {string} name @param {number} size */
async function measureSize(postgres, name, size) {
  const database = `${name}-${size}`
  const { urls } = await createDatabases(postgres.url, [database])
  const databaseUrl = urls.get(database) ?? ''
  /** @type {(() => Promise<void>)[]} */
  const ends = []
  const context = {
    signal: new AbortController().signal,
    folder: join(folder, database),
    onExit: (/** @type {() => Promise<void>} */ stop) => void ends.push(stop),
  }
  const server = await startCompetitor(context, countersign, databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const connection = await openConnection(server.target.port)
  try {
    const send = createSend(connection, server.target)
    const asks = await dimensions[name].prepare({
      send,
      client,
      size,
      target: server.target,
      onEnd: (end) => void ends.unshift(end),
    })
    await client.query('vacuum analyze')
    /** @type {[string, { server: number, database: number }][]} */
    const figures = []
    for (const [request, ask] of Object.entries(asks)) {
      figures.push([request, await measureRequest(ask, { pid: server.pid, postmasters: [postgres.pid()], requests })])
    }
    return figures
  } finally {
    connection.close()
    await client.end()
    for (const end of ends) await end()
  }
}

try {
  await main()
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
