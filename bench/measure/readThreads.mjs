import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processor time of a process in nanoseconds: all its threads, and its main one alone. Taken from
 * schedstat, which counts exactly; /proc/<pid>/stat counts in steps of 10 ms.
 *
 * @param {number} pid
 */
export function readThreads(pid) {
  let all = 0
  let main = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const time = Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
    all += time
    if (Number(thread) === pid) main = time
  }
  return { all, main }
}
