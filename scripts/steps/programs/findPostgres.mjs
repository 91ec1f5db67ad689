import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The folder with the server programs of PostgreSQL (initdb, postgres), newest first where several are installed.
 *
 * @returns {string | undefined}
 */
export function findPostgres() {
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const candidates = [
    ...(configured.status === 0 ? [configured.stdout.trim()] : []),
    ...listVersions('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...listVersions('/opt/homebrew/opt')
      .filter((name) => name.startsWith('postgresql'))
      .map((name) => `/opt/homebrew/opt/${name}/bin`),
    '/usr/local/pgsql/bin',
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return candidates.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))))
}

/** @param {string} folder */
function listVersions(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder).sort((left, right) => right.localeCompare(left, 'en', { numeric: true }))
}
