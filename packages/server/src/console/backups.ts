import { type BackupList, refuse } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

type Row = {
  name: string
  place: string
  started: Date
  finished: Date | null
  bytes: number | null
  sha256: string | null
  error: string | null
}

const most = 100

async function listBackups({ db, config: { backup } }: Context): Promise<BackupList> {
  const rows = await db.query<Row>(sql`
    select name, place, started, finished, bytes::float8 as bytes, sha256, error from countersign.backups
    order by started desc
    limit ${most}`)
  return {
    isSet: backup !== undefined,
    ...(backup?.every !== undefined && { every: backup.every }),
    ...(backup && { keep: backup.keep }),
    isEncrypted: backup?.passphrase !== undefined,
    results: rows.map(({ name, place, started, finished, bytes, sha256, error }) => ({
      name,
      place,
      started: started.toISOString(),
      ...(finished && { finished: finished.toISOString() }),
      ...(bytes !== null && { bytes }),
      ...(sha256 !== null && { sha256 }),
      ...(error !== null && { error: error.slice(0, 1_000) }),
    })),
  }
}

/** Starts a backup. It is made after the response, and its row has the result. */
async function createBackup({ config, services }: Context): Promise<{ name: string }> {
  if (!config.backup) throw refuse('backupNotSet')
  const name = await services.beginBackup?.()
  if (name === undefined) throw refuse('backupUnderWay')
  return { name }
}

export const listBackupsEndpoint = defineEndpoint('listBackups', { handle: ({ context }) => listBackups(context) })

export const createBackupEndpoint = defineEndpoint('createBackup', { handle: ({ context }) => createBackup(context) })
