import { StepError } from '../run/StepError.mjs'
import { findPostgres } from './findPostgres.mjs'
import { installSystemPackage } from './installSystemPackage.mjs'

/** @returns {Promise<string>} the folder of PostgreSQL's server programs, installed now if there were none */
export async function ensurePostgres() {
  const found = findPostgres()
  if (found) return found
  const obstacle = await installSystemPackage('postgresql')
  const installed = findPostgres()
  if (installed) return installed
  throw new StepError(
    `The server's tests need PostgreSQL's programs (initdb, postgres), which were not found and could not be installed: ${obstacle}.`,
    'Install PostgreSQL 14 or newer (on Debian and Ubuntu: sudo apt-get install postgresql; on macOS: brew install postgresql),\nand see that pg_config is on the PATH. No server needs to run: the tests start their own.',
  )
}
