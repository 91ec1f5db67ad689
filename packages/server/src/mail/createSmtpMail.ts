import type { Mail } from './Mail.ts'

/** Sends letters through an SMTP server. */
export async function createSmtpMail(smtp: { url: string; from: string }): Promise<Mail> {
  // Loaded on use: a server without SMTP never needs it.
  const { createTransport } = await import('nodemailer')
  // A mail server that hangs is given up: what waits behind it has people waiting for it.
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = createTransport({ ...limits, url: smtp.url }, { from: smtp.from })
  return {
    async send(letter) {
      // As one address, never as a list that a comma in it would make.
      await transport.sendMail({ to: { name: '', address: letter.to }, subject: letter.subject, text: letter.text })
    },
    listOutbox: undefined,
    close: () => transport.close(),
  }
}
