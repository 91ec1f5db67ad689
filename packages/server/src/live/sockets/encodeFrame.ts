/** A text frame of RFC 6455 as a server sends it: its head, then the parts one after another. */
export function encodeFrame(...parts: readonly Buffer[]): Buffer {
  let length = 0
  for (const part of parts) length += part.length
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = 0x81
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2)
    frame.writeUInt32BE(length >>> 0, 6)
  }
  let at = start
  for (const part of parts) at += part.copy(frame, at)
  return frame
}
