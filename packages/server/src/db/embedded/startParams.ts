import { PGlite } from '@electric-sql/pglite'

// All of it is written to at the start. What it does not hold comes from the system's cache of files instead.
const buffers = ['-c', 'shared_buffers=32MB']

/** For a database that keeps nothing, or that somebody else brings to the disk. */
export const unsyncedParams: string[] = [...PGlite.defaultStartParams, ...buffers]

/**
 * PGlite's own start parameters with fsync turned on; fdatasync, PostgreSQL's default, is an empty call in it.
 * Less log is kept for reuse than on a server of its own.
 */
export const startParams: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...buffers,
  ...[
    'fsync=on',
    'wal_sync_method=fsync',
    'full_page_writes=on',
    'synchronous_commit=on',
    'min_wal_size=32MB',
    'max_wal_size=128MB',
  ].flatMap((setting) => ['-c', setting]),
]
