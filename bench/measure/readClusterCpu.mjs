import { readFileSync } from 'node:fs'
import { readThreads } from './readThreads.mjs'

const nanosecondsPerTick = 10_000_000

/**
 * Processor time in nanoseconds of a PostgreSQL cluster: the postmaster, its children (back ends,
 * WAL writer, checkpointer …) and the children that have ended.
 *
 * @param {number} postmasterPid
 */
export function readClusterCpu(postmasterPid) {
  const children = readFileSync(`/proc/${postmasterPid}/task/${postmasterPid}/children`, 'latin1')
  let total = readThreads(postmasterPid).all
  for (const child of children.split(' ').filter(Boolean)) {
    try {
      total += readThreads(Number(child)).all
    } catch {
      // It has ended since the list was read; its time is in the postmaster's figure below.
    }
  }
  const stat = readFileSync(`/proc/${postmasterPid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const endedTicks = Number(fields[13]) + Number(fields[14])
  return total + endedTicks * nanosecondsPerTick
}
