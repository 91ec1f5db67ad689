// node bench/growth/run.mjs [--quick] [--rows 1000,100000,5000000] [--requests 300] [--part rows,fields] [--before folder]
// How the cost of a request grows with rows, readers, query shapes, roles, classes, subscriptions, fields and the size of
// a document, in processor time of server and database. With --before, the built server of another checkout is measured
// first at each size. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { countersign, countersignBefore } from '../competitors/countersign.mjs'
import { openConnection } from '../load/openConnection.mjs'
import { createDatabases } from '../process/createDatabases.mjs'
import { startCompetitor } from '../process/startCompetitor.mjs'
import { createSend } from './createSend.mjs'
import { dimensions } from './dimensions.mjs'
import { markGrowth } from './markGrowth.mjs'
import { measureRequest } from './measureRequest.mjs'
import { readLargestConnection } from './readLargestConnection.mjs'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    requests: { type: 'string' },
    part: { type: 'string' },
    before: { type: 'string' },
  },
})
const requests = Number(values.requests ?? (values.quick ? 60 : 300))
const parts = values.part?.split(',') ?? Object.keys(dimensions)
const competitors = [...(values.before ? [countersignBefore(values.before)] : []), countersign]
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
    /** @type {Map<string, Map<string, { size: number, server: number, database: number, refusal?: string }[]>>} */
    const curves = new Map()
    /** @type {string[]} */
    const memories = []
    // A database of its own for each size, so that no size is measured on the leftovers of another.
    for (const size of sizesOf(name)) {
      for (const competitor of competitors) {
        const { figures, memory } = await measureSize(postgres, competitor, name, size)
        if (memory !== undefined) memories.push(`${competitor.name}, ${size}: ${memory.toFixed(0)} MB`)
        for (const [request, figure] of figures) {
          const curve = curves.get(request) ?? new Map()
          curves.set(request, curve)
          curve.set(competitor.name, [...(curve.get(competitor.name) ?? []), { size, ...figure }])
        }
      }
    }
    for (const [request, byCompetitor] of curves) {
      for (const [competitor, points] of byCompetitor) {
        const mark = markGrowth(points, costs[request])
        const isBefore = competitor !== countersign.name
        isWorse ||= !isBefore && mark.startsWith('worse')
        for (const [place, { size, server, database, refusal }] of points.entries()) {
          const notes = [refusal, place === points.length - 1 && mark].filter(Boolean).join('; ')
          const label = isBefore ? `${request}, before` : request
          console.log(`| ${label} | ${size} | ${Math.round(server)} | ${Math.round(database)} | ${notes} |`)
        }
      }
    }
    if (memories.length > 0) console.log(`\nMemory of the largest database connection: ${memories.join('; ')}.`)
  }
  if (isWorse) process.exitCode = 1
}

/**
 * @param {import('../../scripts/postgres.mjs').Postgres} postgres
 * @param {import('../types.d.ts').Competitor} competitor
 * @param {string} name
 * @param {number} size
 */
async function measureSize(postgres, competitor, name, size) {
  const database = `${name}-${size}-${competitor.name}`
  const { urls } = await createDatabases(postgres.url, [database])
  const databaseUrl = urls.get(database) ?? ''
  /** @type {(() => Promise<void>)[]} */
  const ends = []
  const context = {
    signal: new AbortController().signal,
    folder: join(folder, database),
    onExit: (/** @type {() => Promise<void>} */ stop) => void ends.push(stop),
  }
  const server = await startCompetitor(context, competitor, databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const connection = await openConnection(server.target.port)
  try {
    const send = createSend(connection, server.target)
    const { prepare, showsMemory } = dimensions[name]
    const asks = await prepare({
      send,
      client,
      size,
      target: server.target,
      onEnd: (end) => void ends.unshift(end),
    })
    await client.query('vacuum analyze')
    const memory = showsMemory ? await readLargestConnection(client) : undefined
    /** @type {[string, Awaited<ReturnType<typeof measureRequest>>][]} */
    const figures = []
    for (const [request, ask] of Object.entries(asks)) {
      figures.push([request, await measureRequest(ask, { pid: server.pid, postmasters: [postgres.pid()], requests })])
    }
    return { figures, memory }
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
