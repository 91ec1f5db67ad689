import { randomUUID } from 'node:crypto'
import type { OutboxMail } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import { sql } from '../db/sql.ts'
import { createSmtpMail } from './createSmtpMail.ts'
import type { Mail } from './Mail.ts'
import { logMail, type MailLogOptions } from './mailLog.ts'

type MailOptions = MailLogOptions & { config: Pick<Config, 'smtp'> }

/** Sends by the SMTP server that is set at that moment, and keeps mails in the outbox without one. */
export function createMail(options: MailOptions): Mail {
  const outbox = createOutbox(options)
  let current: { smtp: Config['smtp']; mail: Mail } | undefined
  const getMail = () => {
    const { smtp, mailLogDays } = options.config
    if (current && current.smtp === smtp) return current.mail
    current?.mail.close()
    const mail = smtp ? createSmtpMail({ ...options, config: { smtp, mailLogDays } }) : outbox
    current = { smtp, mail }
    return mail
  }
  return {
    send: (letter) => getMail().send(letter),
    get listOutbox() {
      return getMail().listOutbox
    },
    close: () => current?.mail.close(),
  }
}

type OutboxRow = { id: string; recipient: string; subject: string; body: string; link: string | null; created: Date }

/** Keeps the newest letters in the database instead of sending them. */
function createOutbox(options: MailLogOptions): Mail {
  const { db, clock } = options
  return {
    async send(letter) {
      await db.query(sql`
        with kept as (select id from countersign.outbox order by created desc limit 199),
          trimmed as (delete from countersign.outbox where id not in (select id from kept))
        insert into countersign.outbox (id, recipient, subject, body, link, created)
        values (${randomUUID()}, ${letter.to}, ${letter.subject}, ${letter.text}, ${letter.link}, ${clock.now()})`)
      await logMail(options, letter, 0)
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
