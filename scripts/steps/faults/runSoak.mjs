import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { percentile } from '../../../bench/measure/percentile.mjs'
import { openListener } from '../servers/openListener.mjs'
import { queryPostgres } from '../servers/queryPostgres.mjs'
import { askInside } from './askInside.mjs'
import { createLedger } from './createLedger.mjs'
import { disturbFleet } from './disturbFleet.mjs'
import { readTables } from './readTables.mjs'
import { startFleet } from './startFleet.mjs'
import { startTraffic } from './startTraffic.mjs'

/**
 * @typedef {import('./startTraffic.mjs').Sample} Sample
 * @typedef {import('./startFleet.mjs').Fleet} Fleet
 * @typedef {{ minutes: number, people: number, sockets: number, say?(line: string): void }} SoakOptions
 * @typedef {Awaited<ReturnType<typeof readResources>>} Resources
 * @typedef {Awaited<ReturnType<typeof runSoak>>} SoakReport
 */

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Share of the capacity that the traffic takes. */
const share = 0.7
const settling = 10_000
/** Seconds between two measurements of the capacity: other programs may use the machine. */
const measureEvery = 600
const measureFor = 30

/**
 * Mixed traffic at a share of the measured capacity, with a fault every few seconds. The first server has one process,
 * which lives from start to end; the second has two workers, which are killed.
 *
 * @param {SoakOptions} options
 */
export async function runSoak({ minutes, people, sockets, say = () => {} }) {
  const fleet = await startFleet({ servers: [{ workers: 1 }, { workers: 2 }] })
  try {
    const ledger = createLedger({ run: 'soak', single: [0] })
    const samples = createSamples()
    const traffic = startTraffic({ ...fleet, people, ledger, chainId: fleet.node.chainId, onSample: samples.take })
    const listeners = await Promise.all(
      Array.from({ length: sockets }, (_, at) => openListener(/** @type {any} */ (fleet.members[at % 2]).server)),
    )
    const capacities = /** @type {number[]} */ ([])
    const setRate = async (/** @type {number} */ seconds) => {
      traffic.setRate(undefined)
      const capacity = await measureCapacity(traffic, seconds)
      capacities.push(capacity)
      traffic.setRate(share * capacity)
      say(`capacity: ${capacity.toFixed(1)} requests a second`)
    }
    await pause(Math.min(60_000, 20_000 * minutes))
    await setRate(measureFor)
    await pause(settling)
    const before = await readResources(fleet)
    const between = [before]
    say(`at the start: ${JSON.stringify(before)}`)
    const loads = /** @type {number[]} */ ([])
    const watch = setInterval(() => loads.push(loadavg()[0] ?? 0), 10_000)
    const [began, requestsBefore] = [Date.now(), traffic.requests()]
    samples.begin(minutes)
    const measureAgain = async () => {
      if (Date.now() - began > 60_000 * minutes - 2_000 * measureFor) return
      samples.hold(true)
      await setRate(measureFor)
      between.push(await readResources(fleet))
      samples.hold(false)
      say(`${traffic.requests()} requests, ${ledger.faults.length} faults: ${ledger.faults.slice(0, 5).join('; ')}`)
    }
    const again = setInterval(() => measureAgain().catch((error) => say(String(error))), 1000 * measureEvery)
    const disturbances = await disturbFleet(fleet, began + 60_000 * minutes)
    clearInterval(again)
    clearInterval(watch)
    const seconds = (Date.now() - began) / 1000
    const sent = traffic.requests() - requestsBefore
    samples.end()
    // The state at rest, as at the start: faults are over, the traffic goes on.
    await pause(settling)
    const after = await readResources(fleet)
    await traffic.stop()
    const checked = await ledger.check(fleet.calls)
    const sum = (/** @type {(listener: (typeof listeners)[0]) => number} */ of) =>
      listeners.reduce((total, listener) => total + of(listener), 0)
    const live = { events: sum(({ events }) => events.size), resyncs: sum(({ resyncs }) => resyncs()) }
    for (const { close } of listeners) close()
    return {
      minutes: seconds / 60,
      capacities,
      sent,
      reached: sent / seconds,
      load: { least: Math.min(...loads), most: Math.max(...loads) },
      disturbances,
      before,
      after,
      heaps: [...between, after].map(({ heap }) => heap),
      ...samples.report(),
      ...checked,
      sockets,
      live,
    }
  } finally {
    await fleet.stop()
  }
}

/** Requests a second without a limit. @param {ReturnType<typeof startTraffic>} traffic @param {number} seconds */
async function measureCapacity(traffic, seconds) {
  const before = traffic.requests()
  const began = performance.now()
  await pause(1000 * seconds)
  return (1000 * (traffic.requests() - before)) / (performance.now() - began)
}

/** Memory, handles and connections of the first server; statements and tables of all. @param {Fleet} fleet */
async function readResources({ members, folder, postgres }) {
  const { server, statements } = /** @type {Fleet['members'][0]} */ (members[0])
  const pid = /** @type {number} */ (server.child.pid)
  const { heapUsed, external, rss } = await askInside(folder, pid, 'heap')
  const connections = "select count(*) from pg_stat_activity where application_name = 'countersign'"
  return {
    heap: heapUsed / 2 ** 20,
    external: external / 2 ** 20,
    rss: rss / 2 ** 20,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    statements: statements.count(),
    connections: Number(await queryPostgres(postgres.url, connections)),
    tables: await readTables(postgres.url),
  }
}

/** Response times of the first and the last sixth, which is ten minutes of an hour, and failures by code. */
function createSamples() {
  /** @type {Map<string, { first: number[], last: number[] }>} */
  const kinds = new Map()
  /** @type {Map<string, number>} */
  const failures = new Map()
  let [began, length, running, held] = [0, 0, false, false]
  return {
    /** @param {number} minutes */
    begin(minutes) {
      began = Date.now()
      length = 60_000 * minutes
      running = true
    },
    end() {
      running = false
    },
    /** Leaves out the times while the capacity is measured. @param {boolean} isHeld */
    hold(isHeld) {
      held = isHeld
    },
    /** @param {Sample} sample */
    take({ kind, milliseconds, status, code }) {
      if (!running) return
      const place = (Date.now() - began) / length
      const times = kinds.get(kind) ?? { first: [], last: [] }
      kinds.set(kind, times)
      if (held) {
        // Too many at once for a fair time.
      } else if (place < 1 / 6) times.first.push(milliseconds)
      else if (place >= 5 / 6) times.last.push(milliseconds)
      if (status === 200 || status === 201) return
      const name = status === 0 ? 'no response' : `${status} ${code ?? ''}`.trim()
      failures.set(name, (failures.get(name) ?? 0) + 1)
    },
    report() {
      const describe = (/** @type {number[]} */ times) => {
        const sorted = times.toSorted((a, b) => a - b)
        const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((at) => percentile(sorted, at))
        return { count: times.length, p50, p95, p99 }
      }
      const latencies = Object.fromEntries(
        [...kinds].map(([kind, { first, last }]) => [kind, { first: describe(first), last: describe(last) }]),
      )
      return { latencies, failures: Object.fromEntries(failures) }
    },
  }
}
