import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findFreePort } from './steps/programs/findFreePort.mjs'
import { findPostgres } from './steps/programs/findPostgres.mjs'
import { afterDeath } from './steps/run/afterDeath.mjs'

/**
 * @typedef {object} PostgresOptions
 * @property {string} [dir] folder of the cluster; kept on stop. Without it: a new temporary folder, removed on stop.
 * @property {number} [port] without it: a free one
 * @property {Record<string, string | number | boolean>} [settings] server settings, over the fast and forgetful defaults
 */

/**
 * @typedef {object} Postgres
 * @property {string} url of the database `postgres`, as superuser
 * @property {number} port
 * @property {string} dir
 * @property {() => number} pid the process id of the server (another one after a restart)
 * @property {() => Promise<void>} stop
 * @property {(how?: 'fast' | 'immediate') => Promise<void>} restart cuts every connection and starts on the same port and data; `immediate` is a crash
 */

const longestStop = 10_000

const defaults = {
  // Nothing here outlives the test run, so nothing needs to reach the disk.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 200,
  log_min_messages: 'warning',
}

/**
 * Starts a private PostgreSQL server that only this machine can reach. It ends with this process, even by kill -9.
 *
 * @example
 * const postgres = await startPostgres()
 * const pool = new Pool({ connectionString: postgres.url })
 * // …
 * await postgres.stop()
 *
 * @param {PostgresOptions} [options]
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ dir: givenDir, port: givenPort, settings = {} } = {}) {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL was not found. Install it (Debian: apt-get install postgresql).')
  const identity = getIdentity()
  const dir = givenDir ? createGivenFolder(resolve(givenDir), identity) : createTemporaryFolder(identity)
  const data = join(dir, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) createCluster(join(programs, 'initdb'), data, identity)

  const callOff = afterDeath(
    `[ -f "$1/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$1/postmaster.pid")"
     while [ -f "$1/postmaster.pid" ] && [ "\${i:=0}" -lt 50 ]; do i=$((i + 1)); sleep 0.1; done
     [ -z "$2" ] || rm -rf "$2"`,
    [data, givenDir ? '' : dir],
    identity,
  )

  /** @param {number} port */
  const launch = async (port) => {
    const flags = Object.entries({
      ...defaults,
      ...settings,
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: dir,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const log = openSync(join(dir, 'log'), 'a')
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...flags], {
      ...identity,
      cwd: dir,
      // Ctrl-C would otherwise stop the database before the tests that use it.
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    })
    closeSync(log)
    const exit = new Promise((done) => {
      child.on('exit', done)
      child.on('error', done)
    })
    child.unref()
    let exited = false
    exit.then(() => {
      exited = true
    })
    const deadline = Date.now() + 60_000
    while (!isReady(data)) {
      if (exited) throw new Error(`PostgreSQL did not start:\n${readFileSync(join(dir, 'log'), 'utf8').slice(-2000)}`)
      if (Date.now() > deadline) throw new Error(`PostgreSQL was not ready within a minute; see ${join(dir, 'log')}`)
      await new Promise((done) => setTimeout(done, 20))
    }
    return { child, exit }
  }

  /**
   * @param {{ child: import('node:child_process').ChildProcess, exit: Promise<unknown> }} server
   * @param {'fast' | 'immediate'} [how]
   */
  const halt = async ({ child, exit }, how = 'fast') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // A promise alone keeps no event loop alive, and the child no longer does.
    child.ref()
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    // During a recovery, a smart shutdown may never finish.
    const impatient = setTimeout(() => child.kill('SIGQUIT'), longestStop)
    await exit
    clearTimeout(impatient)
  }

  let port = givenPort ?? (await findFreePort())
  /** @type {Awaited<ReturnType<typeof launch>>} */
  let server
  for (let attempt = 1; ; attempt++) {
    try {
      server = await launch(port)
      break
    } catch (error) {
      // Another process may have taken the free port.
      if (givenPort || attempt === 3) {
        callOff()
        if (!givenDir) rmSync(dir, { recursive: true, force: true })
        throw error
      }
      port = await findFreePort()
    }
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    dir,
    pid: () => server.child.pid ?? 0,
    async stop() {
      await halt(server)
      callOff()
      if (!givenDir) rmSync(dir, { recursive: true, force: true })
    },
    async restart(how) {
      await halt(server, how)
      server = await launch(port)
    },
  }
}

/**
 * PostgreSQL refuses to run as root, so root lends it the account that its package made.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
function getIdentity() {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" to run it as.')
}

/**
 * @param {string} dir
 * @param {{ uid?: number, gid?: number }} identity
 */
function createGivenFolder(dir, identity) {
  if (existsSync(dir)) return dir
  mkdirSync(dir, { recursive: true })
  own(dir, identity)
  return dir
}

/** @param {{ uid?: number, gid?: number }} identity */
function createTemporaryFolder(identity) {
  // As another user it must be able to walk down to its folder, which a private TMPDIR of root's would forbid.
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => identity.uid === undefined || isOpen(folder))
  if (!parent) throw new Error('No temporary folder that the user "postgres" could reach.')
  const dir = mkdtempSync(join(parent, 'countersign-postgres-'))
  own(dir, identity)
  return dir
}

/** @param {string} folder */
function isOpen(folder) {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat || (stat.mode & 0o001) === 0) return false
    if (path === dirname(path)) return true
  }
}

/**
 * @param {string} dir
 * @param {{ uid?: number, gid?: number }} identity
 */
function own(dir, { uid, gid }) {
  chmodSync(dir, 0o700)
  if (uid !== undefined && gid !== undefined) chownSync(dir, uid, gid)
}

/**
 * @param {string} initdb
 * @param {string} data
 * @param {{ uid?: number, gid?: number }} identity
 */
function createCluster(initdb, data, identity) {
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  let output = ''
  // macOS and older systems have no C.UTF-8.
  for (const locale of ['C.UTF-8', 'C']) {
    const result = spawnSync(initdb, [...flags, `--locale=${locale}`], {
      ...identity,
      cwd: dirname(data),
      encoding: 'utf8',
    })
    if (result.status === 0) return
    output = result.error?.message ?? result.stderr
    rmSync(data, { recursive: true, force: true })
  }
  throw new Error(`initdb failed:\n${output}`)
}

/**
 * The eighth line of postmaster.pid is what pg_ctl waits for.
 *
 * @param {string} data
 */
function isReady(data) {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready'
  } catch {
    return false
  }
}
