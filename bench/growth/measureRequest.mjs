import { median } from '../measure/median.mjs'
import { readClusterCpu } from '../measure/readClusterCpu.mjs'
import { readThreads } from '../measure/readThreads.mjs'

/** Each figure is the median of so many runs. */
const runs = 3

/**
 * Processor time of one request in microseconds, and its duration.
 *
 * @param {() => Promise<unknown>} ask
 * @param {{ pid: number, postmasters: number[], requests: number }} options
 */
export async function measureRequest(ask, { pid, postmasters, requests }) {
  const readDatabases = () => postmasters.reduce((sum, postmaster) => sum + readClusterCpu(postmaster), 0)
  for (let time = 0; time < requests; time++) await ask()
  const servers = []
  const databases = []
  const durations = []
  for (let run = 0; run < runs; run++) {
    const before = [readThreads(pid).all, readDatabases()]
    for (let time = 0; time < requests; time++) {
      const began = performance.now()
      await ask()
      durations.push(performance.now() - began)
    }
    servers.push((readThreads(pid).all - before[0]) / requests / 1000)
    databases.push((readDatabases() - before[1]) / requests / 1000)
  }
  return { server: median(servers), database: median(databases), milliseconds: median(durations) }
}
