import { percentile } from './percentile.mjs'
import { readClusterCpu } from './readClusterCpu.mjs'
import { readRss } from './readRss.mjs'
import { readThreads } from './readThreads.mjs'

/**
 * Reads the clocks now; the returned function reads them again and divides by the requests.
 *
 * @param {{ pid: number, postmasterPid: number }} processes
 */
export function startMeasuring({ pid, postmasterPid }) {
  const server = readThreads(pid)
  const database = readClusterCpu(postmasterPid)
  const startedAt = performance.now()

  /** @param {number[]} latencies of the requests in milliseconds @returns {import('../types.d.ts').Measured} */
  return (latencies) => {
    const seconds = (performance.now() - startedAt) / 1000
    const serverEnd = readThreads(pid)
    const databaseEnd = readClusterCpu(postmasterPid)
    const requests = latencies.length
    if (requests === 0) throw new Error('no request was answered within the round')
    const sorted = Float64Array.from(latencies).sort()
    const microsecondsEach = (/** @type {number} */ nanoseconds) => nanoseconds / 1000 / requests
    return {
      requests,
      rps: requests / seconds,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      cpuUs: microsecondsEach(serverEnd.all - server.all),
      loopCpuUs: microsecondsEach(serverEnd.main - server.main),
      dbCpuUs: microsecondsEach(databaseEnd - database),
      rssMb: readRss(pid),
    }
  }
}
