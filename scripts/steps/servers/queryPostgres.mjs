import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '../programs/findPostgres.mjs'

/**
 * Runs a statement with psql, and returns its output without decoration.
 *
 * @param {string} url
 * @param {string} sql
 */
export async function queryPostgres(url, sql) {
  const psql = join(findPostgres() ?? '', 'psql')
  const { stdout } = await promisify(execFile)(psql, [url, '-X', '-A', '-t', '-c', sql])
  return stdout.trim()
}
