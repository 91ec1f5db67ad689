import { createHash } from 'node:crypto'
import type { Database, DatabaseLogger } from './Database.ts'
import { sql } from './sql.ts'

export type Migration = { name: string; sql: string }

/** The database and this program do not fit together. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

// Any number will do, as long as every server on one database takes the same.
const MIGRATION_LOCK = '7166182912'

const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex')

/** Brings the database to the newest migration: all pending ones or none, however many servers start together. */
export const migrate = (db: Database, migrations: readonly Migration[], logger?: DatabaseLogger): Promise<void> =>
  db.transaction(async () => {
    await db.query(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`)
    await db.query(sql`
      create schema if not exists countersign;
      create table if not exists countersign.migrations (
        position int generated always as identity primary key,
        name text not null unique,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    const applied = await db.query<{ name: string; checksum: string }>(
      sql`select name, checksum from countersign.migrations order by position`,
    )
    const known = new Set(migrations.map(({ name }) => name))
    if (known.size !== migrations.length) throw new MigrationRefused('Two migrations have the same name.')
    for (const [position, { name, checksum }] of applied.entries()) {
      if (!known.has(name)) {
        throw new MigrationRefused(
          `The database has the migration "${name}", which this version does not know: a newer version has used it. ` +
            'Start that version, or restore the backup taken before the upgrade.',
        )
      }
      const expected = migrations[position]
      if (expected?.name !== name) {
        throw new MigrationRefused(
          `The migration "${expected?.name}" comes before "${name}", but only the latter was applied to this database. ` +
            'Migrations are only ever added at the end.',
        )
      }
      if (checksumOf(expected.sql) !== checksum) {
        throw new MigrationRefused(
          `The migration "${name}" was changed after it had been applied to this database. ` +
            'Restore its text and write the change as a new migration.',
        )
      }
    }
    for (const { name, sql: text } of migrations.slice(applied.length)) {
      await db.query(sql.raw(text))
      await db.query(sql`insert into countersign.migrations (name, checksum) values (${name}, ${checksumOf(text)})`)
      db.afterCommit(() => logger?.info({ migration: name }, 'Migration applied'))
    }
  })
