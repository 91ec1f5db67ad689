import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGunzip, createInflate } from 'node:zlib'
import { CountersignError } from '@countersign/protocol'
import type { FastifyInstance } from 'fastify'
import type { Body } from '../../endpoint/Endpoint.ts'
import { type Bodies, type HeldBody, tooLarge } from './createBodies.ts'
import { cutOutContent } from './cutOutContent.ts'
import type { Exchange, Gate } from './Exchange.ts'
import { readBody } from './readBody.ts'

/** Bytes of a body after which other requests have their turn. */
const longRead = 64 * 1024

/** Reads the body. A file is passed on unread if the headers name the sender. */
export async function takeBody(gate: Gate, exchange: Exchange, isNamed: boolean): Promise<Body> {
  const { request, first, sent, stream } = exchange
  const { config } = gate.context
  // As the older clients have it: keys in headers mean that the body is the file, keys in the body that it is JSON.
  if (isNamed && first?.endpoint.takesFile) {
    sent.stream = stream as Readable
    return {}
  }
  // Claims in the body count as well.
  exchange.claims = undefined
  exchange.held = await holdBody(gate, exchange)
  const { content } = exchange.held
  const cut = first?.endpoint.takesFile ? cutOutContent(content, config.jsonLimit) : { rest: content }
  if (cut.content) sent.base64 = cut.content
  const body = readBody(cut.rest, request.headers['content-type'], config.jsonLimit)
  if (cut.rest.length > longRead) await setImmediate()
  return body
}

function holdBody({ context: { config }, bodies }: Gate, { request, first, stream }: Exchange): Promise<HeldBody> {
  const largest = first?.endpoint.takesFile ? config.maxUploadSize : Math.min(config.jsonLimit, config.maxUploadSize)
  const promised = request.headers['content-length']
  const encoding = request.headers['content-encoding']
  const length = promised === undefined ? undefined : Number(promised)
  return readInflated(bodies, stream as Readable, encoding, largest, length)
}

const inflaters = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
])

/**
 * Reads a body that may be compressed. The limit holds for what comes out as well as for what goes in, and both are
 * counted while they come: a small body that would inflate to a large one is given up at the limit.
 */
async function readInflated(
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of this route may take as long as the server gives any request. */
    isUpload?: boolean
  }
}

const patience = 60_000

/** A body that trickles in byte by byte holds a connection for nothing. */
export function limitBodyTime(body: IncomingMessage): void {
  const timer = setTimeout(() => body.destroy(), patience)
  const end = () => clearTimeout(timer)
  body.once('end', end)
  body.once('close', end)
}

/** Limits the bodies of all routes; only files may take their time. */
export function limitBodyTimes(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
    if (hasBody && !request.routeOptions.config.isUpload) limitBodyTime(request.raw)
    done()
  })
}
