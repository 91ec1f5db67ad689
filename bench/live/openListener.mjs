import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/**
 * A WebSocket as far as a subscriber needs one: frames are found by their lengths, and what is in them is looked at
 * only by those who ask. A full client would take from the server the processor time that we are about to measure.
 *
 * @param {{ port: number, path: string, onText(text: Buffer): void }} options
 */
export async function openListener({ port, path, onText }) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received = Buffer.alloc(0)
  let isUpgraded = false
  /** @type {(value?: unknown) => void} */
  let upgraded = () => {}
  const opening = new Promise((resolve) => {
    upgraded = resolve
  })
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    if (!isUpgraded) {
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!received.toString('latin1', 0, 12).endsWith(' 101')) throw new Error(received.toString('latin1', 0, end))
      isUpgraded = true
      received = received.subarray(end + 4)
      upgraded()
    }
    for (;;) {
      const frame = readFrame(received)
      if (!frame) return
      received = received.subarray(frame.end)
      if (frame.operation === 1) onText(frame.payload)
      else if (frame.operation === 9) socket.write(encodeFrame(10, frame.payload))
    }
  })
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await opening
  return {
    send: (/** @type {object} */ frame) => void socket.write(encodeFrame(1, Buffer.from(JSON.stringify(frame)))),
    close: () => socket.destroy(),
  }
}

/** @param {Buffer} bytes */
function readFrame(bytes) {
  if (bytes.length < 2) return undefined
  const short = bytes[1] & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < start + length) return undefined
  return { operation: bytes[0] & 0x0f, payload: bytes.subarray(start, start + length), end: start + length }
}

/** Masked, as a client's must be, by a mask that changes nothing. @param {number} operation @param {Buffer} payload */
function encodeFrame(operation, payload) {
  const long = payload.length > 125
  const head = Buffer.alloc(long ? 8 : 6)
  head[0] = 0x80 | operation
  head[1] = 0x80 | (long ? 126 : payload.length)
  if (long) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
