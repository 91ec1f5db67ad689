import { readFileSync } from 'node:fs'
import { queryPostgres } from '../servers/queryPostgres.mjs'

/** @typedef {import('./startFleet.mjs').Fleet} Fleet */

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
/** @template T @param {readonly T[]} list @returns {T} */
const pick = (list) => /** @type {T} */ (list[Math.floor(Math.random() * list.length)])

/** Process ids of a server's workers. @param {{ child: import('node:child_process').ChildProcess }} server */
function listWorkers({ child: { pid } }) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** Sends a signal to a process that may be gone. @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Faults that end after seconds. @type {{ [name: string]: (fleet: Fleet) => Promise<void> }} */
const faults = {
  async 'connections to the database cut'({ members }) {
    const { proxy } = pick(members)
    await proxy.close()
    await pause(Math.random() * 1_000)
    await proxy.open()
  },
  async 'backends killed'({ postgres }) {
    await queryPostgres(
      postgres.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign' and random() < 0.3",
    )
  },
  async 'worker killed'({ members }) {
    const { server } = pick(members.filter(({ workers }) => workers > 1))
    const workers = listWorkers(server)
    if (workers.length > 0) signal(pick(workers), 'SIGKILL')
  },
  async 'worker frozen for a second'({ members }) {
    const { server } = pick(members.filter(({ workers }) => workers > 1))
    const worker = listWorkers(server)[0]
    if (worker === undefined) return
    signal(worker, 'SIGSTOP')
    await pause(1_000)
    signal(worker, 'SIGCONT')
  },
  async 'mail server down'({ mail }) {
    await mail.close()
    await pause(3_000)
    await mail.open()
  },
  async 'node hanging'({ node }) {
    node.setMood('hanging')
    await pause(3_000)
    node.setMood('honest')
  },
  async 'node sending nonsense'({ node }) {
    node.setMood('nonsense')
    await pause(1_000)
    node.setMood('honest')
  },
}

/**
 * Lets one thing after another go wrong, with some seconds between them, until the end. Returns how often each did.
 *
 * @param {Fleet} fleet
 * @param {number} end
 */
export async function disturbFleet(fleet, end) {
  const names = Object.keys(faults)
  /** @type {Record<string, number>} */
  const counts = Object.fromEntries(names.map((name) => [name, 0]))
  for (let round = 0; Date.now() < end; round++) {
    const name = names[round] ?? pick(names)
    await faults[name]?.(fleet)
    counts[name] = (counts[name] ?? 0) + 1
    await pause(2_000 + Math.random() * 3_000)
  }
  return counts
}
