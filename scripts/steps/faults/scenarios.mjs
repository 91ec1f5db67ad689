import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { queryPostgres } from '../servers/queryPostgres.mjs'
import { keys } from '../servers/startCountersign.mjs'
import { until } from '../servers/until.mjs'
import { askInside } from './askInside.mjs'
import { phases } from './createPhaseCutter.mjs'

/**
 * @typedef {import('./startFleet.mjs').Fleet} Fleet
 * @typedef {import('./createPhaseCutter.mjs').Phase} Phase
 * @typedef {ReturnType<typeof import('./createPhaseCutter.mjs').createPhaseCutter>} Cutter
 * @typedef {{ fleet: Fleet, cutter: Cutter, seconds: number, folder: string }} Parts
 * @typedef {object} Scenario
 * @property {string} name of it in the table
 * @property {(parts: Parts) => Promise<void>} run resolves when the fault is over
 * @property {(fleet: Fleet, mails: number) => Promise<boolean>} [isBack] asked after writes succeed on every server, with
 *   the number of mails that had arrived when the fault was over
 * @property {'disk' | 'versions'} [needs] a fleet of its own
 * @property {number} [least] seconds that it takes at least
 */

/** The server's own dependency. @type {typeof import('pg')} */
const { Client } = createRequire(join(root, 'packages/server/package.json'))('pg')

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const day = 86_400_000
const master = { 'X-Parse-Master-Key': keys.masterKey }

/** Cuts connections in a phase, one after the other. @param {Phase} phase @param {Parts} parts */
async function cutIn(phase, { cutter, seconds }) {
  const before = cutter.cuts()
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(100)) cutter.arm(phase)
  // A run that cut nothing shows nothing.
  if (cutter.cuts() === before) await until(() => cutter.cuts() > before, 30_000)
  cutter.disarm()
}

/** Sets the clock of the first server, while responses to commits are lost. @param {number} shift @param {Parts} parts */
async function setClock(shift, parts) {
  const { folder, members } = parts.fleet
  const pid = Number(members[0]?.server.child.pid)
  await askInside(folder, pid, `shift ${shift}`)
  await cutIn('after COMMIT, the network with it', parts)
  await askInside(folder, pid, 'shift 0')
}

/** @param {import('./startFaultyNode.mjs').Mood} mood @param {Parts} parts */
async function changeNode(mood, { fleet: { node }, seconds }) {
  node.setMood(mood)
  await pause(1000 * seconds)
  node.setMood('honest')
}

/** @param {Fleet} fleet */
async function readsBalances({ calls, node }) {
  for (const call of calls) {
    const { status } = await call('GET', `/chain/${node.chainId}/addresses/0x${'1'.padStart(40, '0')}/balance`)
    if (status !== 200) return false
  }
  return true
}

/** Takes every connection that the database has. @param {Parts} parts */
async function takeConnections({ fleet: { postgres }, seconds }) {
  /** @type {import('pg').Client[]} */
  const taken = []
  const takeAll = async () => {
    for (;;) {
      const client = new Client({ connectionString: postgres.url })
      client.on('error', () => {})
      const isIn = await client.connect().then(
        () => true,
        () => false,
      )
      if (!isIn) return
      taken.push(client)
    }
  }
  await takeAll()
  const own = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign'"
  await taken[0]?.query(own)
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(50)) await takeAll()
  await Promise.all(taken.map((client) => client.end()))
}

/** @param {Parts} parts */
async function fillDisk({ fleet: { postgres, calls }, seconds, folder }) {
  const file = join(folder, 'filler')
  const end = Date.now() + 1000 * seconds
  // PostgreSQL frees files at its checkpoints, and they are filled again.
  const handle = openSync(file, 'w')
  const chunk = Buffer.alloc(64 * 1024)
  let refused = 0
  for (; Date.now() < end || refused === 0; await pause(50)) {
    try {
      for (;;) writeSync(handle, chunk)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
    // Small writes find room in the files of the database for a while.
    const large = randomBytes(100_000).toString('base64')
    const answer = await calls[0]?.('POST', '/classes/Back', { large }, master)
    if (answer?.status === 503 || answer?.status === 0) refused++
  }
  closeSync(handle)
  rmSync(file)
  // A service manager starts it again if it gave itself up.
  if (spawnSync('kill', ['-0', String(postgres.pid())]).status !== 0) await postgres.restart()
}

/** @type {Scenario[]} */
export const scenarios = [
  ...phases.map((phase) => ({
    name: `connection lost: ${phase}`,
    run: (/** @type {Parts} */ parts) => cutIn(phase, parts),
  })),
  {
    name: 'pool exhausted: a lock on the table',
    run: async ({ fleet: { postgres }, seconds }) => {
      await queryPostgres(postgres.url, `begin; lock table "Drill"; select pg_sleep(${seconds}); commit`)
    },
  },
  { name: 'no connection left in PostgreSQL', run: takeConnections },
  { name: 'PostgreSQL crashed', run: ({ fleet: { postgres } }) => postgres.restart('immediate') },
  { name: 'clock of one server a day ahead, and back', run: (parts) => setClock(day, parts) },
  { name: 'clock of one server a day behind, and back', run: (parts) => setClock(-day, parts) },
  { name: 'chain node hangs', run: (parts) => changeNode('hanging', parts), isBack: readsBalances },
  { name: 'chain node lies about its chain', run: (parts) => changeNode('lying', parts), isBack: readsBalances },
  { name: 'chain node sends nonsense', run: (parts) => changeNode('nonsense', parts), isBack: readsBalances },
  {
    name: 'mail server down',
    run: async ({ fleet: { mail }, seconds }) => {
      await mail.close()
      await pause(1000 * seconds)
      await mail.open()
    },
    isBack: async ({ mails }, before) => mails() > before,
  },
  {
    name: 'server frozen (SIGSTOP), another lives',
    least: 60,
    run: async ({ fleet: { members }, seconds }) => {
      const child = members[0]?.server.child
      child?.kill('SIGSTOP')
      await pause(1000 * seconds)
      child?.kill('SIGCONT')
    },
  },
  { name: 'disk of the database full, and freed', needs: 'disk', run: fillDisk },
  {
    name: 'two versions side by side, then the older replaced',
    needs: 'versions',
    run: async ({ fleet, seconds }) => {
      await pause(1000 * seconds)
      await fleet.replace(0)
    },
  },
]
