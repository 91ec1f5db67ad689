import { randomUUID } from 'node:crypto'
import type { MailKind, OutboxMail } from '@countersign/protocol'
import type { Clock } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'

/** `kind` is shown in the mail log: a subject may be the application's own, and contain anything. */
export type Letter = { kind: MailKind; to: string; subject: string; text: string; link: string | null }

/** Sends mails. */
export type Mail = {
  send(letter: Letter): Promise<void>
  /** Letters kept for a developer to read; `undefined` where they really leave by SMTP. */
  listOutbox: (() => Promise<OutboxMail[]>) | undefined
  close(): void
}

type OutboxRow = { id: string; recipient: string; subject: string; body: string; link: string | null; created: Date }

/** Keeps the newest letters in the database instead of sending them. */
export function createOutbox({ db, clock }: { db: Database; clock: Clock }): Mail {
  return {
    async send(letter) {
      await db.query(sql`
        with kept as (select id from countersign.outbox order by created desc limit 199),
          trimmed as (delete from countersign.outbox where id not in (select id from kept))
        insert into countersign.outbox (id, recipient, subject, body, link, created)
        values (${randomUUID()}, ${letter.to}, ${letter.subject}, ${letter.text}, ${letter.link}, ${clock.now()})`)
    },
    async listOutbox() {
      const rows = await db.query<OutboxRow>(sql`select * from countersign.outbox order by created desc, id limit 200`)
      return rows.map(
        (row): OutboxMail => ({
          id: row.id,
          to: row.recipient,
          subject: row.subject,
          text: row.body,
          link: row.link,
          createdAt: row.created.toISOString(),
        }),
      )
    },
    close() {},
  }
}

type SmtpOptions = {
  db: Database
  clock: Clock
  log: { warn(details: object, message: string): void }
  config: { smtp: { url: string; from: string }; mailLogDays: number }
}

/** Sends letters through an SMTP server, and keeps a log of what became of each. */
export async function createSmtpMail(options: SmtpOptions): Promise<Mail> {
  const { smtp } = options.config
  // Loaded on use: a server without SMTP never needs it.
  const { createTransport } = await import('nodemailer')
  // A mail server that hangs is given up: what waits behind it has people waiting for it.
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = createTransport({ ...limits, url: smtp.url }, { from: smtp.from })
  return {
    async send(letter) {
      const begin = performance.now()
      try {
        // As one address, never as a list that a comma in it would make.
        await transport.sendMail({ to: { name: '', address: letter.to }, subject: letter.subject, text: letter.text })
      } catch (error) {
        await logMail(options, letter, performance.now() - begin, describeRefusal(smtp.url, letter, error))
        throw error
      }
      await logMail(options, letter, performance.now() - begin)
    },
    listOutbox: undefined,
    close: () => transport.close(),
  }
}

/** Entries of the log, however few days old. */
const mostLogged = 10_000

/** A mail that has left is not sent again because its entry could not be written. */
async function logMail(
  { db, clock, log, config: { mailLogDays } }: SmtpOptions,
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

const longestRefusal = 300

/**
 * A mail server's error without quotes of the mail, which contains codes and sign-in links, and without the password of
 * the server's own account there.
 */
function describeRefusal(url: string, { text }: Letter, error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  // As written in the address, and as sent.
  const password = URL.canParse(url) ? new URL(url).password : ''
  const words = text.slice(0, 20_000).match(/[A-Za-z0-9_-]{4,}/g) ?? []
  // Codes have digits or hyphens in them.
  const quoted = words.filter((word) => /[\d-]/.test(word))
  const secrets = [password, decodeText(password), ...quoted].filter((secret) => secret.length >= 4)
  const sorted = [...new Set(secrets)].toSorted((one, other) => other.length - one.length)
  return sorted
    .reduce((redacted, secret) => redacted.replaceAll(secret, '…'), said.slice(0, 2_000))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/\S*:\/\/\S*|[A-Za-z0-9_-]{24,}/g, '…')
    .slice(0, longestRefusal)
}

/** A password may have a percent sign that escapes nothing. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
