import { Client } from 'pg'
import type { Config } from '../config/Config.ts'
import { readAddresses } from '../db/postgres/readAddresses.ts'
import { type Report, reasonOf } from './Finding.ts'

const patience = 5_000

type Facts = { standby: boolean; behind: string | null; has: boolean }

/** Checks that each read replica responds, follows the primary and has caught up with it. */
export async function checkReplicas({ replicaUrl }: Config, primary: Client, report: Report): Promise<void> {
  if (replicaUrl === undefined) return
  let addresses: string[]
  try {
    addresses = readAddresses(replicaUrl, 'COUNTERSIGN_REPLICA_URL')
  } catch (error) {
    return report.fault('replicas', reasonOf(error), 'The server does not start.', 'Correct COUNTERSIGN_REPLICA_URL.')
  }
  for (const address of addresses) await checkReplica(address, primary, report)
}

async function checkReplica(connectionString: string, primary: Client, report: Report): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: patience, query_timeout: patience })
  client.on('error', () => {})
  const name = `The replica ${client.host}:${client.port}`
  const meaning = 'Queries with maxStaleness go to the primary.'
  try {
    await client.connect()
    const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const began = performance.now()
    for (;;) {
      const facts = await readFacts(client, rows[0]?.lsn ?? '0/0')
      if (!facts.standby) {
        const fix = 'Make it a standby of the primary, or remove it from COUNTERSIGN_REPLICA_URL.'
        return report.fault('replicas', `${name} is not a standby.`, meaning, fix)
      }
      if (facts.has) {
        return report.ok('replicas', `${name} caught up after ${Math.round(performance.now() - began)} ms.`)
      }
      if (performance.now() - began > patience) {
        const said = `${name} is ${facts.behind ?? 'unknown'} bytes behind the primary.`
        const fix = 'Check the replication: pg_stat_wal_receiver on the replica, pg_stat_replication on the primary.'
        return report.warning('replicas', said, meaning, fix)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } catch (error) {
    const fix = 'Start the replica, or correct COUNTERSIGN_REPLICA_URL.'
    report.warning('replicas', `${name} does not respond: ${reasonOf(error)}`, meaning, fix)
  } finally {
    await client.end().catch(() => {})
  }
}

async function readFacts(client: Client, lsn: string): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select pg_is_in_recovery() as standby,
      case when pg_is_in_recovery() then ($1::pg_lsn - pg_last_wal_replay_lsn())::text end as behind,
      coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as has`,
    [lsn],
  )
  return rows[0] as Facts
}
