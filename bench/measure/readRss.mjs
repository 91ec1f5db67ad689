import { readFileSync } from 'node:fs'

/** @param {number} pid @returns resident memory in MiB */
export function readRss(pid) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(line?.[1]) / 1024
}
