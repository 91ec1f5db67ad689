import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { keys } from '../servers/startCountersign.mjs'
import { until } from '../servers/until.mjs'
import { createLedger } from './createLedger.mjs'
import { createPhaseCutter } from './createPhaseCutter.mjs'
import { scenarios } from './scenarios.mjs'
import { startFleet } from './startFleet.mjs'
import { startTraffic } from './startTraffic.mjs'

/**
 * @typedef {import('./startFleet.mjs').Fleet} Fleet
 * @typedef {import('./scenarios.mjs').Scenario} Scenario
 * @typedef {{ only?: string | undefined, seconds: number, people: number, isShort?: boolean, earlier?: string | undefined,
 *   say?(line: string): void }} FaultOptions
 * @typedef {Awaited<ReturnType<typeof runScenario>>} Row
 */

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const master = { 'X-Parse-Master-Key': keys.masterKey }

/** Fewer connections than usual, so that all can be taken. */
const settings = { max_connections: 90 }
/** Small files of the log, so that a small disk holds the database. */
const smallSettings = { max_wal_size: '48MB', min_wal_size: '32MB', shared_buffers: '16MB' }
const diskSize = '160m'

/**
 * Lets each fault happen to servers under load, and compares what they acknowledged with the database afterwards. The
 * server has to be built.
 *
 * @param {FaultOptions} options
 * @returns {Promise<{ rows: Row[], leftOut: string[] }>}
 */
export async function runFaults({ only, seconds, people, isShort = false, earlier, say = () => {} }) {
  /** @type {Row[]} */
  const rows = []
  /** @type {string[]} */
  const leftOut = []
  const wanted = scenarios.filter(({ name }) => !only || only.split(',').some((part) => name.includes(part)))
  const cutter = createPhaseCutter()
  const run = async (/** @type {Fleet} */ fleet, /** @type {Scenario} */ scenario, folder = '') => {
    const length = isShort ? seconds : Math.max(seconds, scenario.least ?? 0)
    const row = await runScenario(scenario, { fleet, cutter, seconds: length, folder }, people)
    rows.push(row)
    say(JSON.stringify(row))
  }
  const shared = wanted.filter(({ needs }) => needs === undefined)
  if (shared.length > 0) {
    const fleet = await startFleet({ servers: [{}, {}], settings, createTap: cutter.createTap })
    try {
      for (const scenario of shared) await run(fleet, scenario)
    } finally {
      await fleet.stop()
    }
  }
  for (const scenario of wanted.filter(({ needs }) => needs === 'disk')) {
    const disk = mountDisk()
    if (!disk) {
      leftOut.push(`${scenario.name}: a file system can be mounted by root alone`)
      continue
    }
    const fleet = await startFleet({ servers: [{}, {}], settings: smallSettings, dir: join(disk.folder, 'database') })
    try {
      await run(fleet, scenario, disk.folder)
    } finally {
      await fleet.stop()
      disk.unmount()
    }
  }
  for (const scenario of wanted.filter(({ needs }) => needs === 'versions')) {
    if (!earlier) {
      leftOut.push(`${scenario.name}: COUNTERSIGN_EARLIER names no built checkout`)
      continue
    }
    const fleet = await startFleet({ servers: [{ checkout: earlier }, {}] })
    try {
      await run(fleet, scenario)
    } finally {
      await fleet.stop()
    }
  }
  return { rows, leftOut }
}

/** A file system in memory that can be full. */
function mountDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-disk-'))
  // The account of PostgreSQL has to get to its folder.
  chmodSync(folder, 0o755)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize},mode=755`, 'tmpfs', folder])
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  return {
    folder,
    unmount() {
      spawnSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * @param {Scenario} scenario
 * @param {import('./scenarios.mjs').Parts} parts
 * @param {number} people
 */
async function runScenario({ name, run, isBack }, parts, people) {
  const { fleet } = parts
  const ledger = createLedger({ run: name, single: [0, 1] })
  const traffic = startTraffic({ calls: fleet.calls, people, ledger, isShort: true, chainId: fleet.node.chainId })
  await until(() => ledger.acknowledged() > 3 * people && traffic.isSettled())
  const began = Date.now()
  const deadBefore = ledger.dead.size
  await run(parts)
  const [ended, mails] = [Date.now(), fleet.mails()]
  await until(async () => (await writesSucceed(fleet)) && (isBack === undefined || (await isBack(fleet, mails))))
  const back = Date.now() - ended
  // Sessions end during the fault and after it, and each is used again.
  await until(() => ledger.dead.size > deadBefore + 2)
  await pause(1_000)
  await traffic.stop()
  // Other servers may believe a session for so long.
  await pause(5_000)
  const { acknowledged, lost, doubled, undead, deadSessions, faults } = await ledger.check(fleet.calls)
  return {
    name,
    seconds: (ended - began) / 1000,
    requests: traffic.requests(),
    acknowledged,
    lost,
    doubled,
    deadSessions,
    undead,
    back,
    faults,
    /** Of the machine, over the last minute. */
    load: loadavg()[0] ?? 0,
  }
}

/** A write on every server. @param {Fleet} fleet */
async function writesSucceed({ calls }) {
  for (const call of calls) {
    const { status } = await call('POST', '/classes/Back', { at: Date.now() }, master)
    if (status !== 201) return false
  }
  return true
}
