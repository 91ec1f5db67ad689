import type { Clock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { createOutbox } from './createOutbox.ts'
import { createSmtpMail } from './createSmtpMail.ts'
import type { Mail } from './Mail.ts'

type MailOptions = {
  db: Database
  clock: Clock
  log: { warn(details: object, message: string): void }
  config: Pick<Config, 'smtp' | 'mailLogDays'>
}

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
