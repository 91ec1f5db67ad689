import type { Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { CountersignError } from '@countersign/protocol'
import { type Bodies, type HeldBody, tooLarge } from './createBodies.ts'

const inflaters = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
])

/**
 * Reads a body that may be compressed. The limit holds for what comes out as well as for what goes in, and both are
 * counted while they come: a small body that would inflate to a large one is given up at the limit.
 */
export async function readInflated(
  bodies: Bodies,
  stream: Readable,
  encoding: string | undefined,
  largest: number,
  promised: number | undefined,
): Promise<HeldBody> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return bodies.read(stream, largest, promised)
  const inflater = inflaters.get(name)?.()
  if (!inflater)
    throw new CountersignError(
      'InvalidJson',
      'Unsupported Content-Encoding. Send the body uncompressed, or with gzip or deflate.',
      { status: 415 },
    )
  if (promised !== undefined && promised > largest) throw tooLarge()
  let broken: Error | undefined
  let size = 0
  const count = (chunk: Buffer) => {
    size += chunk.length
    if (size > largest) inflater.destroy(tooLarge())
  }
  const leave = () => inflater.destroy(new CountersignError('ConnectionFailed', 'The request was interrupted.'))
  inflater.once('error', (error) => {
    broken = error
  })
  stream.on('data', count).once('error', leave).once('aborted', leave)
  try {
    return await bodies.read(stream.pipe(inflater), largest, undefined)
  } catch (error) {
    if (broken instanceof CountersignError) throw broken
    if (broken) throw new CountersignError('InvalidJson', `The body is not valid ${name}.`, { cause: broken })
    throw error
  } finally {
    stream.unpipe(inflater).off('data', count).off('error', leave).off('aborted', leave)
    // The rest is discarded, as for any refused body, so that the response arrives.
    stream.on('error', () => {}).resume()
    inflater.destroy()
  }
}
