import { median } from '../measure/median.mjs'
import { readClusterCpu } from '../measure/readClusterCpu.mjs'
import { readThreads } from '../measure/readThreads.mjs'
import { Refused } from './Refused.mjs'

/** Each figure is the median of so many runs. */
const runs = 3

/** A request that takes seconds is sent as often as this time allows, at least twice a run. */
const slowest = 20_000

/**
 * Processor time of one request in microseconds, its duration, and the reason if the server refused it.
 *
 * @param {() => Promise<unknown>} ask
 * @param {{ pid: number, postmasters: number[], requests: number }} options
 */
export async function measureRequest(ask, { pid, postmasters, requests: wished }) {
  const readDatabases = () => postmasters.reduce((sum, postmaster) => sum + readClusterCpu(postmaster), 0)
  /** @type {string | undefined} */
  let refusal
  const send = async () => {
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refusal = error.summary
    }
  }
  const requests = Math.max(2, Math.min(wished, Math.floor(slowest / (await longestOf(wished, send)))))
  const servers = []
  const databases = []
  const durations = []
  for (let run = 0; run < runs; run++) {
    const before = [readThreads(pid).all, readDatabases()]
    for (let time = 0; time < requests; time++) {
      const began = performance.now()
      await send()
      durations.push(performance.now() - began)
    }
    servers.push((readThreads(pid).all - before[0]) / requests / 1000)
    databases.push((readDatabases() - before[1]) / requests / 1000)
  }
  return { server: median(servers), database: median(databases), milliseconds: median(durations), refusal }
}

/**
 * Sends the request until connections, caches and plans are warm, and says how long it took at most, in milliseconds. The
 * first five executions on a connection decide the plan of a prepared statement, so a slow request is sent eight times.
 *
 * @param {number} count
 * @param {() => Promise<void>} send
 */
async function longestOf(count, send) {
  let longest = 0
  for (let time = 0; time < count && (time < 8 || longest < 100); time++) {
    const began = performance.now()
    await send()
    longest = time < 2 ? 0 : Math.max(longest, performance.now() - began)
  }
  return longest
}
