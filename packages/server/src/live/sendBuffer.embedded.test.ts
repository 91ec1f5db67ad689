import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { createSendBuffer, encodeFrame } from './sockets/frames.ts'

/** The package has it, its types do not. */
const Receiver: new (options: object) => Writable = Reflect.get(ws, 'Receiver')

test('frames of every length are read by the package of the field as they were meant', async () => {
  const texts = ['', 'a', 'x'.repeat(125), 'x'.repeat(126), 'ü'.repeat(30_000), 'y'.repeat(65_535), 'z'.repeat(200_000)]
  const receiver = new Receiver({ isServer: false, maxPayload: 1_000_000 })
  const read: string[] = []
  receiver.on('message', (data: Buffer) => read.push(data.toString('utf8')))
  for (const text of texts) {
    const middle = Math.floor(text.length / 2)
    receiver.write(encodeFrame(Buffer.from(text.slice(0, middle)), Buffer.from(text.slice(middle))))
  }
  await new Promise<void>((done) => receiver.end(done))
  expect(read).toEqual(texts)
})

test('limits the data that waits for a client which does not read', async () => {
  let letGo = () => {}
  const stuck = new Writable({
    write(_chunk, _encoding, done) {
      letGo = done
    },
  })
  const duplex = Object.assign(new PassThrough(), {
    write: stuck.write.bind(stuck),
    on: stuck.on.bind(stuck),
    off: stuck.off.bind(stuck),
  })
  for (const name of ['writableLength', 'writableNeedDrain', 'writable', 'destroyed'] as const) {
    Object.defineProperty(duplex, name, { get: () => stuck[name] })
  }
  const limit = 100_000
  const sendBuffer = createSendBuffer(duplex, limit)
  let taken = 0
  for (let round = 0; round < 10_000; round++) {
    if (sendBuffer.push(Buffer.alloc(1_000))) taken++
    if (round % 10 === 0) sendBuffer.flush()
  }
  sendBuffer.flush()
  expect(taken).toBe(limit / 1_000)
  expect(stuck.writableLength).toBeLessThanOrEqual(limit)
  const drained = sendBuffer.drained()
  while (stuck.writableLength > 0) {
    letGo()
    await new Promise(setImmediate)
  }
  await drained
  // A frame larger than the limit is accepted if the buffer is empty.
  expect(sendBuffer.push(Buffer.alloc(limit * 2))).toBe(true)
  expect(sendBuffer.push(Buffer.alloc(1))).toBe(false)
})
