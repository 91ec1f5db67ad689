import type { Config } from '../config/Config.ts'
import { createOutbox } from './createOutbox.ts'
import { createSmtpMail } from './createSmtpMail.ts'
import type { Mail } from './Mail.ts'
import type { MailLogOptions } from './mailLog.ts'

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
