import { existsSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { unsyncedParams } from './startParams.ts'

const AT_ONCE = 64

const sync = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Makes the files of a new database beside their place and moves them there once they are on the disk: PGlite
 * copies them one by one, and a process killed half-way would leave a folder that never opens again.
 */
export const createDatabaseFolder = async (database: string): Promise<void> => {
  if (existsSync(join(database, 'PG_VERSION'))) return
  const unfinished = `${database}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const pglite = await PGlite.create({ fs: new NodeFS(unfinished), startParams: unsyncedParams })
  await pglite.close()
  const entries = await readdir(unfinished, { recursive: true })
  // Several at a time share one write of the journal.
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    await Promise.all(entries.slice(start, start + AT_ONCE).map((entry) => sync(join(unfinished, entry))))
  }
  await sync(unfinished)
  await rename(unfinished, database)
  await sync(dirname(database))
}
