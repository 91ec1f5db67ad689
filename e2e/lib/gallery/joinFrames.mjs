/**
 * Joins pictures of one size, each a WebP, to an animated one that begins again at its end. The parts of the container:
 * https://developers.google.com/speed/webp/docs/riff_container
 *
 * @param {{ picture: Buffer, milliseconds: number }[]} frames
 * @returns {Buffer}
 */
export function joinFrames(frames) {
  const read = frames.map(({ picture, milliseconds }) => ({ ...readPicture(picture), milliseconds }))
  const [first] = read
  if (!first) throw new Error('An animation has pictures.')
  const { width, height } = first
  if (read.some((each) => each.width !== width || each.height !== height))
    throw new Error('The pictures are not of one size.')
  const extended = Buffer.alloc(10)
  extended[0] = 0b10 // it is animated
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  const animation = Buffer.alloc(6) // no color behind it, no end
  const parts = read.map(({ data, milliseconds }) => {
    const head = Buffer.alloc(16)
    head.writeUIntLE(width - 1, 6, 3)
    head.writeUIntLE(height - 1, 9, 3)
    head.writeUIntLE(milliseconds, 12, 3)
    head[15] = 0b10 // drawn over what was there, without blending
    return chunk('ANMF', Buffer.concat([head, data]))
  })
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', extended), chunk('ANIM', animation), ...parts])
  return chunk('RIFF', body)
}

/**
 * @param {string} name
 * @param {Buffer} data
 */
function chunk(name, data) {
  const head = Buffer.alloc(8, name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The chunk that holds the picture itself, with its head, and the size that it names. @param {Buffer} picture */
function readPicture(picture) {
  for (let place = 12; place + 8 <= picture.length; ) {
    const name = picture.toString('latin1', place, place + 4)
    const length = picture.readUInt32LE(place + 4)
    const end = place + 8 + length + (length % 2)
    // A frame begins with three bytes, a start code, and its size.
    if (name === 'VP8 ') {
      const size = place + 8 + 6
      const [width, height] = [picture.readUInt16LE(size) & 0x3fff, picture.readUInt16LE(size + 2) & 0x3fff]
      return { data: picture.subarray(place, end), width, height }
    }
    place = end
  }
  throw new Error('A picture is not a lossy WebP.')
}
