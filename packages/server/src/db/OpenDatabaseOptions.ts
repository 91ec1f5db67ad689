import type { DatabaseLogger } from './Database.ts'

/** Location of the database. */
export type DatabasePlace = Pick<OpenDatabaseOptions, 'databaseUrl' | 'directDatabaseUrl' | 'dataFolder'>

/** The part of the settings that says where the database is. */
export function placeOf({ databaseUrl, directDatabaseUrl, dataFolder }: DatabasePlace): DatabasePlace {
  return { databaseUrl, directDatabaseUrl, dataFolder }
}

export type OpenDatabaseOptions = {
  /** A PostgreSQL server, on one or several hosts; without it the embedded database is used. */
  databaseUrl?: string | undefined
  /** The same server past a pooler in transaction mode, for notifications and snapshots. */
  directDatabaseUrl?: string | undefined
  /** Folder of the embedded database; `memory://` stores nothing. */
  dataFolder: string
  /** How many transactions and unnamed statements a PostgreSQL server runs for this process at a time. */
  poolSize?: number | undefined
  /** How long to wait for a PostgreSQL server that cannot be reached at start, in milliseconds. */
  patience?: number | undefined
  /** The files of a fresh database for `memory://`, as a tar archive: spares making them, which takes seconds. */
  template?: Blob | undefined
  /** A new embedded database has no tables, for a restore. By default it comes with all migrations. */
  bare?: boolean | undefined
  logger?: DatabaseLogger | undefined
}
