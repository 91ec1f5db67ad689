import { connect } from 'node:net'

const headEnd = Buffer.from('\r\n\r\n')

/**
 * One keep-alive connection that carries one request at a time, opened again if a response closes it or the server
 * closed it while it was idle. Plain sockets, since a full HTTP client would take from the server the processor time
 * that we are about to measure.
 *
 * @param {number} port
 */
export async function openConnection(port) {
  let socket = await openSocket(port)
  return {
    /** @param {string} bytes @returns {Promise<import('../types.d.ts').Answer>} */
    send: async (bytes) => {
      if (socket.isClosed()) socket = await openSocket(port)
      const answer = await socket.send(bytes)
      if (/\r\nconnection: *close/i.test(answer.headers)) {
        socket.close()
        socket = await openSocket(port)
      }
      return answer
    },
    close: () => socket.close(),
  }
}

/** @param {number} port */
async function openSocket(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))

  /** @type {{ resolve(answer: import('../types.d.ts').Answer): void, reject(error: Error): void } | undefined} */
  let waiting
  let received = Buffer.alloc(0)

  const fail = (/** @type {Error} */ error) => {
    waiting?.reject(error)
    waiting = undefined
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection before it answered')))
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (!answer) return
    received = Buffer.alloc(0)
    waiting?.resolve(answer)
    waiting = undefined
  })

  return {
    isClosed: () => socket.destroyed || socket.readableEnded,
    /** @param {string} bytes @returns {Promise<import('../types.d.ts').Answer>} */
    send: (bytes) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}

/** @param {Buffer} bytes @returns {import('../types.d.ts').Answer | undefined} once all of it has come */
function readAnswer(bytes) {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return
  const headers = bytes.toString('latin1', 0, end)
  const status = Number(headers.slice(9, 12))
  const start = end + headEnd.length
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)
  if (length) {
    const size = Number(length[1])
    if (bytes.length < start + size) return
    return { status, headers, body: bytes.toString('utf8', start, start + size) }
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(headers)) return { status, headers, body: '' }
  const parts = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    at = lineEnd + 2
    if (bytes.length < at + size + 2) return
    if (size === 0) return { status, headers, body: Buffer.concat(parts).toString() }
    parts.push(bytes.subarray(at, at + size))
    at += size + 2
  }
}
