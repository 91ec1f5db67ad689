import type { Clock } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import type { Letter } from './Mail.ts'

export type MailLogOptions = {
  db: Database
  clock: Clock
  log: { warn(details: object, message: string): void }
  config: { mailLogDays: number }
}

/** Entries of the log, however few days old. */
const mostLogged = 10_000

/** A mail that has left is not sent again because its entry could not be written. */
export async function logMail(
  { db, clock, log, config: { mailLogDays } }: MailLogOptions,
  { to, kind }: Letter,
  ms: number,
  error: string | null = null,
): Promise<void> {
  if (mailLogDays === 0) return
  try {
    // Code of the application may send from inside a transaction, which an entry that fails must not end.
    await db.nest(() =>
      db.query(sql`
        with added as (
          insert into countersign.mail_log (recipient, kind, at, ms, error)
          values (${to.slice(0, 400)}, ${kind}, ${clock.now()}, ${Math.round(ms)}, ${error})
          returning id
        )
        delete from countersign.mail_log where id <= (select id from added) - ${mostLogged}::bigint`),
    )
  } catch (cause) {
    log.warn({ err: cause }, 'an entry of the mail log could not be written')
  }
}

/** Takes out of the log what is older than the setting allows. */
export async function sweepMailLog(db: Database, now: Date, mailLogDays: number): Promise<void> {
  await db.query(sql`delete from countersign.mail_log where at < ${new Date(now.getTime() - mailLogDays * 86_400_000)}`)
}
