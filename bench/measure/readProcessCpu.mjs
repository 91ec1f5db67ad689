import { readFileSync } from 'node:fs'

/**
 * Processor time of a process in milliseconds, in steps of ten; also of its threads that have ended.
 *
 * @param {number} pid
 */
export function readProcessCpu(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
