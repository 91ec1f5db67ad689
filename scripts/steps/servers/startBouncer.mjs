import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../programs/findFreePort.mjs'
import { installSystemPackage } from '../programs/installSystemPackage.mjs'
import { queryPostgres } from './queryPostgres.mjs'
import { until } from './until.mjs'

/**
 * Starts PgBouncer in front of a PostgreSQL server.
 *
 * @param {number} target port of PostgreSQL
 * @param {'session' | 'transaction'} mode
 * @param {number} [size] connections to PostgreSQL
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startBouncer(target, mode, size = 20) {
  if (spawnSync('pgbouncer', ['--version']).status !== 0) {
    const obstacle = await installSystemPackage('pgbouncer')
    if (obstacle) throw new Error(`PgBouncer is missing: ${obstacle}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'cs-bouncer-'))
  chmodSync(folder, 0o777)
  const port = await findFreePort()
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
postgres = host=127.0.0.1 port=${target} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 200
logfile = ${join(folder, 'log')}
pidfile = ${join(folder, 'pid')}
`,
  )
  const parameters = [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), join(folder, 'pgbouncer.ini')]
  const child = spawn('pgbouncer', parameters, { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(() => queryPostgres(url, 'select 1').catch(() => false))
  return { url, stop }
}
