import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '../../postgres.mjs'
import { findPostgres } from '../programs/findPostgres.mjs'
import { queryPostgres } from './queryPostgres.mjs'

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} Postgres */

/**
 * Runs a program of PostgreSQL, as the user who may.
 *
 * @param {string} program
 * @param {string[]} parameters
 * @param {string} folder
 */
async function runProgram(program, parameters, folder) {
  const identity = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  const [command = '', ...rest] = [...identity, join(findPostgres() ?? '', program), ...parameters]
  await promisify(execFile)(command, rest, { cwd: folder })
}

/** Folder of a cluster that outlives its server. */
export function createFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-cluster-'))
  chmodSync(dir, 0o777)
  return dir
}

/**
 * Starts a standby that streams from a primary. The caller stops it and removes its folder `dir`.
 *
 * @param {Postgres} primary
 * @param {Record<string, string>} [settings]
 */
export async function startStandby(primary, settings = {}) {
  const dir = createFolder()
  const address = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  const parameters = [...address, '-D', join(dir, 'data'), '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync']
  await runProgram('pg_basebackup', parameters, dir)
  return startPostgres({ dir, settings })
}

/**
 * Makes a stopped primary a standby of the one that took over, on its old port.
 *
 * @param {{ dir: string, port: number }} stopped
 * @param {Postgres} primary
 * @param {Record<string, string>} [settings]
 */
export async function rejoin({ dir, port }, primary, settings = {}) {
  // pg_rewind finds the new timeline in the control file, which a checkpoint writes.
  await queryPostgres(primary.url, 'checkpoint')
  const source = `host=127.0.0.1 port=${primary.port} user=postgres dbname=postgres`
  const parameters = ['--target-pgdata', join(dir, 'data'), '--source-server', source, '-R', '--no-sync']
  await runProgram('pg_rewind', parameters, dir)
  return startPostgres({ dir, port, settings })
}
