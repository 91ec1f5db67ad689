import type { Mail } from './Mail.ts'

/** Sends letters through an SMTP server. */
export async function createSmtpMail(smtp: { url: string; from: string }): Promise<Mail> {
  // Loaded on use: a server without SMTP never needs it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(smtp.url, { from: smtp.from })
  return {
    async send(letter) {
      await transport.sendMail({ to: letter.to, subject: letter.subject, text: letter.text })
    },
    listOutbox: undefined,
    close: () => transport.close(),
  }
}
