import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './root.mjs'

const dist = join(root, 'packages/server/dist')

const load = (/** @type {string} */ file) => import(pathToFileURL(join(dist, file)).href)

/**
 * An empty database with all migrations, for the package: the first start unpacks it, which takes a fraction of the
 * time that making one does. Its name says what it was made from; one that is there already is left.
 */
export async function prepareDatabase() {
  const { packDatabase, preparedName } = await load('db/embedded/preparedDatabase.js')
  const folder = join(dist, 'prepared')
  const target = join(folder, preparedName())
  if (existsSync(target)) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const made = await mkdtemp(join(tmpdir(), 'countersign-prepared-'))
  try {
    const { openDatabase } = await load('db/openDatabase.js')
    const { migrate } = await load('db/migrate.js')
    const { migrations } = await load('db/migrations.js')
    const db = await openDatabase({ dataFolder: made })
    await migrate(db, migrations)
    await db.close()
    await packDatabase(join(made, 'database'), `${target}.unfinished`)
    await rename(`${target}.unfinished`, target)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
