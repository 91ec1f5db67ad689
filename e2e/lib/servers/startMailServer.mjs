import { createServer } from 'node:net'

/**
 * A mail server that takes every mail and forgets it, but for addresses that begin with `refused`.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startMailServer() {
  const server = createServer((socket) => {
    let held = ''
    let isData = false
    const say = (/** @type {string} */ line) => socket.write(`${line}\r\n`)
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (chunk) => {
      held += chunk
      for (let end = held.indexOf('\r\n'); end >= 0; end = held.indexOf('\r\n')) {
        const line = held.slice(0, end)
        held = held.slice(end + 2)
        if (isData) {
          if (line !== '.') continue
          isData = false
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
  return { url: `smtp://127.0.0.1:${port}`, stop: async () => void (await stop()) }
}
