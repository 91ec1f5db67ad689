import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { checkDurability } from './checkDurability.ts'
import { createDatabaseFolder } from './createDatabaseFolder.ts'
import { createDurableFs } from './createDurableFs.ts'
import { lockFolder } from './lockFolder.ts'
import { startParams } from './startParams.ts'

export type OpenedFolder = { pglite: PGlite; release(): Promise<void> }

/** The database in `<dataFolder>/database`, for this process alone, with every commit on the disk. */
export const openFolder = async (dataFolder: string): Promise<OpenedFolder> => {
  const folder = resolve(dataFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  try {
    const database = join(folder, 'database')
    await createDatabaseFolder(database)
    const { fs, syncs } = createDurableFs(database)
    const pglite = await PGlite.create({ fs, startParams })
    await checkDurability(pglite, syncs)
    return { pglite, release }
  } catch (error) {
    await release()
    throw error
  }
}
