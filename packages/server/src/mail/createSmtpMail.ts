import type { Letter, Mail } from './Mail.ts'
import { logMail, type MailLogOptions } from './mailLog.ts'

type SmtpOptions = MailLogOptions & { config: { smtp: { url: string; from: string } } }

/** Sends letters through an SMTP server, and keeps a log of what became of each. */
export function createSmtpMail(options: SmtpOptions): Mail {
  const { smtp } = options.config
  let opening: ReturnType<typeof openTransport> | undefined
  return {
    async send(letter) {
      opening ??= openTransport(smtp)
      const transport = await opening
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
    close: () => void opening?.then((transport) => transport.close()),
  }
}

async function openTransport(smtp: { url: string; from: string }) {
  // Loaded on use: a server without SMTP never needs it.
  const { createTransport } = await import('nodemailer')
  // A mail server that hangs is given up: what waits behind it has people waiting for it.
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  return createTransport({ ...limits, url: smtp.url }, { from: smtp.from })
}

/** Sends one mail through a server that is not in use yet. Throws its refusal, without secrets. */
export async function sendTestMail(smtp: { url: string; from: string }, letter: Letter): Promise<void> {
  const transport = await openTransport(smtp)
  try {
    await transport.sendMail({ to: { name: '', address: letter.to }, subject: letter.subject, text: letter.text })
  } catch (error) {
    throw new Error(describeRefusal(smtp.url, letter, error))
  } finally {
    transport.close()
  }
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
