import { createServer } from 'node:net'

/**
 * A mail server that takes every mail, but for addresses that begin with `refused`. `mails` has their decoded texts.
 *
 * @returns {Promise<{ url: string, mails: string[], stop: () => Promise<void> }>}
 */
export async function startMailServer() {
  /** @type {string[]} */
  const mails = []
  const server = createServer((socket) => {
    let held = ''
    let isData = false
    /** @type {string[]} */
    let lines = []
    const say = (/** @type {string} */ line) => socket.write(`${line}\r\n`)
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (chunk) => {
      held += chunk
      for (let end = held.indexOf('\r\n'); end >= 0; end = held.indexOf('\r\n')) {
        const line = held.slice(0, end)
        held = held.slice(end + 2)
        if (isData) {
          if (line !== '.') {
            lines.push(line.replace(/^\.\./, '.'))
            continue
          }
          isData = false
          mails.push(decode(lines.join('\n')))
          lines = []
          say('250 taken')
        } else if (/^data/i.test(line)) {
          isData = true
          say('354 go on')
        } else if (/^rcpt to:<refused/i.test(line)) say('550 no such mailbox')
        else say(/^quit/i.test(line) ? '221 bye' : '250 ok')
      }
    })
    say('220 mail server of the tests')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const stop = () => new Promise((resolve) => server.close(() => resolve(undefined)))
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: async () => void (await stop()) }
}

/** Quoted-printable as text. @param {string} mail */
function decode(mail) {
  const joined = mail.replace(/=\n/g, '')
  return joined.replace(/=([0-9A-F]{2})/g, (_code, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
