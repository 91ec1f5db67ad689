import type { Config } from '../config/Config.ts'
import { type Report, reasonOf } from './Finding.ts'

const patience = 10_000

/** Connects and logs in to the SMTP server; sends a mail only where an address is given. */
export async function checkMail(config: Config, mailTo: string | undefined, report: Report): Promise<void> {
  const { smtp, production } = config
  if (!smtp) {
    if (!production)
      return report.skipped('smtp', 'No SMTP server is set; in development, emails are captured in the outbox.')
    return report.warning(
      'smtp',
      'No SMTP server is set in production.',
      'No emails are sent, so addresses cannot be verified and passwords cannot be reset.',
      'Set COUNTERSIGN_SMTP_URL and COUNTERSIGN_MAIL_FROM.',
    )
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(
    { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience, url: smtp.url },
    { from: smtp.from },
  )
  const { host, protocol } = new URL(smtp.url)
  try {
    await transport.verify()
    report.ok('smtp', `${host} accepts a connection${new URL(smtp.url).username ? ' and the credentials' : ''}.`)
    if (mailTo === undefined) return
    await transport.sendMail({
      to: { name: '', address: mailTo },
      subject: `Test email from ${config.appName}`,
      text: `This email was sent by countersign doctor. ${config.appName} can send email.`,
    })
    report.ok('test mail', `${host} accepted an email to ${mailTo}.`)
  } catch (error) {
    report.fault(
      'smtp',
      `${host}: ${reasonOf(error)}`,
      'No emails are sent, so addresses cannot be verified and passwords cannot be reset.',
      `Check host, port, user and password in COUNTERSIGN_SMTP_URL; ${protocol === 'smtps:' ? 'smtps:// is for port 465, smtp:// for 587' : 'smtp:// is for port 587, smtps:// for 465'}.`,
    )
  } finally {
    transport.close()
  }
}
