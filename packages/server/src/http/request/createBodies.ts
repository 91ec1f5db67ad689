import type { Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { CountersignError, refuse, type WireValue } from '@countersign/protocol'
import type { FastifyInstance } from 'fastify'
import { deepestJson, parseJson } from '../../encoding/parseJson.ts'
import type { Body } from '../../endpoint/Endpoint.ts'

/** A body as a whole. What it takes of the memory is free again once `release` was called. */
export type HeldBody = { content: Buffer; release(): void }

type Arriving = { held: Buffer; size: number; began: number; fail(error: Error): void }

/** Grace period before a sender counts as slow. */
const grace = 1_000

/**
 * Request bodies in memory: limited for the whole process, counted as they arrive. Without room, the slowest sender is
 * cut off: one that stopped in the middle of a body takes nothing from the others.
 */
export function createBodies(budget: number) {
  const arriving = new Set<Arriving>()
  let used = 0

  return {
    /** Bytes that are held now. */
    used: () => used,
    /** Reads a body. What is too large, or has no room, is refused, and the rest of it thrown away as it comes. */
    read(stream: Readable, largest: number, promised: number | undefined): Promise<HeldBody> {
      return new Promise((resolve, reject) => {
        if (promised !== undefined && promised > largest) return reject(tooLarge())
        const body: Arriving = { held: Buffer.alloc(0), size: 0, began: performance.now(), fail }
        arriving.add(body)
        stream.on('data', take).once('end', finish).once('error', leave).once('close', leave)

        function take(chunk: Buffer): void {
          const size = body.size + chunk.length
          if (size > largest) return void fail(tooLarge())
          // Copied, so that many small pieces take no more than their bytes.
          if (size > body.held.length) {
            const length = Math.max(size, Math.min(2 * body.held.length, promised ?? largest))
            if (!makeRoom(length - body.held.length, body)) return
            const grown = Buffer.allocUnsafe(length)
            body.held.copy(grown, 0, 0, body.size)
            body.held = grown
          }
          chunk.copy(body.held, body.size)
          body.size = size
        }

        function finish(): void {
          if (!arriving.delete(body)) return
          resolve({ content: body.held.subarray(0, body.size), release })
        }

        /** Every stream closes in the end: an error, which is dear to make, is made of those alone that stopped before. */
        function leave(): void {
          if (arriving.has(body)) fail(new CountersignError('ConnectionFailed', 'The request was interrupted.'))
        }

        function fail(error: Error): void {
          if (!arriving.delete(body)) return
          release()
          stream
            .off('data', take)
            .on('error', () => {})
            .resume()
          reject(error)
        }

        function release(): void {
          used -= body.held.length
          body.held = Buffer.alloc(0)
        }
      })
    },
  }

  /** Makes room for more bytes of a body. Returns false if the body was refused. */
  function makeRoom(bytes: number, body: Arriving): boolean {
    while (used + bytes > budget) {
      const slowest = findSlowest() ?? body
      slowest.fail(noRoom())
      if (slowest === body) return false
    }
    used += bytes
    return true
  }

  function findSlowest(): Arriving | undefined {
    const now = performance.now()
    let slowest: Arriving | undefined
    let least = Number.POSITIVE_INFINITY
    for (const body of arriving) {
      const time = now - body.began
      if (time < grace || body.size / time >= least) continue
      slowest = body
      least = body.size / time
    }
    return slowest
  }
}

export type Bodies = ReturnType<typeof createBodies>

export function tooLarge(): CountersignError {
  return refuse('bodyTooLarge')
}

function noRoom(): CountersignError {
  return new CountersignError('InternalServerError', 'The server is busy. Try again in a moment.', {
    status: 503,
    rateLimit: { retryAfter: 1 },
  })
}

/** Fields of a form, and of a query string: more than any page has. */
const mostFields = 1_000

/** JSON whatever the content type says, since the older clients send it as text; only a true form is read as one. */
export function readBody(raw: Buffer | undefined, contentType?: string, limit?: number): Body {
  if (!raw || raw.length === 0) return {}
  // `curl -d '{…}'` calls its JSON a form; a true form would have its brace encoded.
  if (contentType?.startsWith('application/x-www-form-urlencoded') && raw[0] !== openBrace) {
    return Object.fromEntries(readFields(raw.toString('utf8')))
  }
  let body: unknown
  try {
    body = parseJson(raw, limit)
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause
    throw new CountersignError('InvalidJson', `The body is not valid JSON: ${(cause as Error).message}`.slice(0, 200))
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new CountersignError('InvalidJson', 'The body must be a JSON object.')
  }
  if (raw.length > walkedLength || suspicious.test(raw.toString('latin1'))) refuseKeywords(body as WireValue)
  return body as Body
}

/** The pairs of a form or of a query string. Each takes its time, so they are counted first. */
function readFields(text: string): URLSearchParams {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++count > mostFields) throw new CountersignError('InvalidJson', `There may be ${mostFields} fields at most.`)
  }
  return new URLSearchParams(text)
}

const openBrace = 0x7b

/** Texts that may hide a forbidden name. Shorter bodies cannot be nested deep enough to do harm. */
const suspicious = /__proto__|constructor|prototype|_bsontype|\\u/

const walkedLength = 400

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of this route may take as long as the server gives any request. */
    isUpload?: boolean
  }
}

const patience = 60_000

/** A body that trickles in byte by byte holds a connection for nothing; only files may take their time. */
export function limitBodyTime(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
    if (!hasBody || request.routeOptions.config.isUpload) return done()
    const timer = setTimeout(() => request.raw.destroy(), patience)
    const end = () => clearTimeout(timer)
    payload.once('end', end)
    payload.once('close', end)
    done()
  })
}

/** The query string. Values are JSON where they parse as such, except where an endpoint wants them as they are. */
export function readQuery(search: string, asText: boolean): Body {
  const query: Body = {}
  if (search === '') return query
  for (const [key, value] of readFields(search)) {
    Object.defineProperty(query, key, {
      value: asText ? value : readJsonText(value),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return query
}

/** A text that is JSON, read; any other as it is. */
export function readJsonText(value: string): WireValue {
  let parsed: WireValue
  try {
    parsed = parseJson(value) as WireValue
  } catch (error) {
    if (error instanceof CountersignError) throw error
    return value
  }
  refuseKeywords(parsed)
  return parsed
}

/** Names that reach the prototype of an object, and a marker of another database. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype', '_bsontype'])

/** P1: refuses values that are nested too deep, that hold names of the prototype, or what the database cannot hold. */
function refuseKeywords(value: WireValue, depth = 0): void {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw new CountersignError('InvalidJson', 'A text may not hold the character U+0000.')
  }
  if (value === null || typeof value !== 'object') return
  if (depth > deepestJson)
    throw new CountersignError('InvalidJson', `Values may be nested ${deepestJson} levels deep at most.`)
  if (Array.isArray(value)) {
    for (const item of value) refuseKeywords(item, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    if (forbidden.has(key)) {
      throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${key}"}.`)
    }
    if (key.includes('\u0000'))
      throw new CountersignError('InvalidKeyName', 'A name may not hold the character U+0000.')
    refuseKeywords(Reflect.get(value, key) as WireValue, depth + 1)
  }
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
    throw new CountersignError('InvalidJson', 'A body may be sent as it is, or with gzip or deflate.', { status: 415 })
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
