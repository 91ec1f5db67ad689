import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { checkDurability } from './checkDurability.ts'
import { createDatabaseFolder } from './createDatabaseFolder.ts'
import { createDurableFs } from './createDurableFs.ts'
import { lockFolder } from './lockFolder.ts'
import { startParams } from './startParams.ts'

export type OpenedFolder = {
  pglite: PGlite
  /** Opens the files again, after the database that had them gave itself up: it recovers as after a crash. */
  reopen(): Promise<PGlite>
  release(): Promise<void>
}

/** The database in `<dataFolder>/database`, for this process alone, with every commit on the disk. */
export const openFolder = async (dataFolder: string): Promise<OpenedFolder> => {
  const folder = resolve(dataFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  try {
    const database = join(folder, 'database')
    await createDatabaseFolder(database)
    let files = createDurableFs(database)
    const start = async () => {
      const pglite = await PGlite.create({ fs: files.fs, startParams })
      await checkDurability(pglite, files.syncs)
      return pglite
    }
    const reopen = () => {
      // The one that gave itself up never returns from a call any more, so it cannot close them.
      files.closeAll()
      files = createDurableFs(database)
      return start()
    }
    return { pglite: await start(), reopen, release }
  } catch (error) {
    await release()
    throw error
  }
}
