import { existsSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

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
  const pglite = await PGlite.create({ fs: new NodeFS(unfinished) })
  await pglite.close()
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) await sync(join(entry.parentPath, entry.name))
  }
  await sync(unfinished)
  await rename(unfinished, database)
  await sync(dirname(database))
}
