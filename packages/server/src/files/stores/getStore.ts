import { join } from 'node:path'
import type { Context } from '../../context/Context.ts'
import type { StoreName } from '../StoredFile.ts'
import { createDatabaseStore } from './createDatabaseStore.ts'
import { createDiskStore } from './createDiskStore.ts'
import { createS3Store } from './createS3Store.ts'
import type { FileStore } from './FileStore.ts'

/** The store for new files. Several servers on one PostgreSQL share no disk, but the database. */
export function chooseStore({ config, db }: Pick<Context, 'config' | 'db'>): StoreName {
  if (config.files.store) return config.files.store
  return db.kind === 'postgres' || config.dataFolder.startsWith('memory://') ? 'database' : 'disk'
}

/** A store by its name: files stay readable where they are when the operator chooses another for new ones. */
export function getStore({ config, db }: Pick<Context, 'config' | 'db'>, name: StoreName): FileStore {
  if (name === 'database') return createDatabaseStore(db)
  if (name === 'disk') return createDiskStore(config.files.folder ?? join(config.dataFolder, 'files'))
  if (!config.files.s3) throw new Error('A file lies in S3, but files.s3 is not configured.')
  return createS3Store(config.files.s3)
}
