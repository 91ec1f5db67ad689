import type { Duplex } from 'node:stream'
import {
  CountersignError,
  errorCodes,
  type LiveAnswer,
  type LiveQueryText,
  type LiveRequest,
  type WireFields,
} from '@countersign/protocol'
import type { WebSocket } from 'ws'
import { parseJson } from '../../encoding/parseJson.ts'
import { checkKeys } from '../../hooks/runHooks.ts'
import type { LiveClient, SendBuffer } from '../Live.ts'

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

/** Codes of error frames that have no other meaning than on this wire. */
export const frameCodes = { malformed: 1, unknownClient: 2, unknownOperation: 3, wrongKey: 4 } as const

/** Error of a message that its sender has to change. Elsewhere its code stands for an internal error. */
export class MalformedFrame extends CountersignError {
  constructor(message: string) {
    super(frameCodes.malformed, message, { reason: 'invalidJson', status: 400 })
  }
}

type Given = { [name: string]: unknown }

const operations = new Set(['connect', 'subscribe', 'update', 'unsubscribe'])

/** The longest text that anything but a condition may have. */
const longest = 1000

/** A position names what ran in the database, twice. */
const longestPosition = 20_000

/** Parses a message that is a JSON object. Throws 107 if it contains too much. */
export function parseFrame(data: Buffer, isBinary: boolean): Given | undefined {
  if (isBinary) return undefined
  try {
    const value: unknown = parseJson(data)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Given) : undefined
  } catch (error) {
    if (error instanceof CountersignError) throw error
    return undefined
  }
}

/** The number of the query that a message is about, which a refusal of the message names too. */
export function findRequestId(given: Given | undefined): number | undefined {
  if (given === undefined || given.op === 'connect') return undefined
  const { requestId } = given
  return typeof requestId === 'number' && Number.isSafeInteger(requestId) ? requestId : undefined
}

/** Parses a client's message. Throws 1 if it is invalid, 3 for an unknown operation. */
export function readFrame(given: Given | undefined): LiveRequest {
  if (given === undefined) return refuse('A message must be the text of a JSON object.')
  if (typeof given.op !== 'string') return refuse('A message must have an op.')
  if (!operations.has(given.op)) {
    throw new CountersignError(frameCodes.unknownOperation, 'Get unknown operation')
  }
  checkKeys(given as WireFields)
  if (given.op === 'connect') return readConnect(given)
  const requestId = findRequestId(given)
  if (requestId === undefined) return refuse('requestId must be a whole number.')
  if (given.op === 'unsubscribe') return { op: 'unsubscribe', requestId }
  refuseUnknown(given, subscribeFields)
  return {
    op: given.op === 'update' ? 'update' : 'subscribe',
    requestId,
    query: readQuery(given.query),
    ...texts(given, 'sessionToken', 'from'),
  }
}

const subscribeFields = new Set(['op', 'requestId', 'query', 'sessionToken', 'installationId', 'from'])
const queryFields = new Set(['className', 'where', 'keys', 'fields', 'watch'])

/**
 * An unknown field. The `parse` client recovers by this text: it connects again and leaves out what older servers do not
 * know. The response must not be about one request, whose promise the client would reject.
 */
export class UnknownField extends MalformedFrame {
  constructor() {
    super('Additional properties not allowed')
  }
}

function refuseUnknown(given: Given, known: ReadonlySet<string>): void {
  if (Object.keys(given).some((name) => !known.has(name))) throw new UnknownField()
}

function readConnect(given: Given): LiveRequest {
  const { applicationId = '' } = texts(given, 'applicationId')
  const { features } = given
  return {
    op: 'connect',
    applicationId,
    ...texts(given, 'masterKey', 'javascriptKey', 'clientKey', 'restAPIKey', 'sessionToken', 'installationId'),
    ...(Array.isArray(features) && { features: features.filter((item) => typeof item === 'string').slice(0, 20) }),
  }
}

function readQuery(query: unknown): LiveQueryText {
  if (query === null || typeof query !== 'object' || Array.isArray(query)) return refuse('query must be an object.')
  const given = query as Given
  refuseUnknown(given, queryFields)
  if (typeof given.className !== 'string' || given.className === '') return refuse('query.className must be a string.')
  const { where = {} } = given
  if (where === null || typeof where !== 'object' || Array.isArray(where))
    return refuse('query.where must be an object.')
  // `fields` is the name of `keys` in older clients.
  const keys = readNames(given.keys ?? given.fields, 'keys')
  const watch = readNames(given.watch, 'watch')
  return { className: given.className, where: where as WireFields, ...(keys && { keys }), ...(watch && { watch }) }
}

/** A class has 500 fields at most. */
const mostNames = 1_000

function readNames(value: unknown, name: string): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
    return refuse(`query.${name} must be a list of names.`)
  }
  if (value.length > mostNames) return refuse(`query.${name} can have at most ${mostNames} names.`)
  return value.length > 0 ? [...new Set(value as string[])].sort() : undefined
}

/** P4: an object in the place of a credential is an attempt at an operator. */
function texts<Name extends string>(given: Given, ...names: Name[]): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = given[name]
    if (value === undefined || value === null || value === '') continue
    const most = name === 'from' ? longestPosition : longest
    if (typeof value !== 'string' || value.length > most)
      return refuse(`${name} must be a string of at most ${most} characters.`)
    found[name] = value
  }
  return found
}

function refuse(message: string): never {
  throw new MalformedFrame(message)
}

/** Each response without the fields of every frame. */
type Said = LiveAnswer extends infer Each
  ? Each extends LiveAnswer
    ? Omit<Each, 'clientId' | 'installationId'>
    : never
  : never

/** Sends a frame to a client, after those that wait. */
export function sendFrame(client: LiveClient, said: Said): void {
  // Nothing may follow the close frame.
  if (client.socket.readyState !== client.socket.OPEN) return
  const { op, ...rest } = said
  const text = JSON.stringify(rest).slice(1)
  client.sendBuffer.force(encodeFrame(Buffer.from(`{"op":"${op}",${client.who}${text === '}' ? '' : ','}${text}`)))
  client.sendBuffer.flush()
}

/** Reports an error. Internal details are left out. */
export function sendError(client: LiveClient, error: unknown, requestId: number | null, reconnect = false): void {
  const known = error instanceof CountersignError
  sendFrame(client, {
    op: 'error',
    code: known ? error.code : errorCodes.InternalServerError,
    error: known ? error.message : 'Internal server error.',
    reason: known ? error.reason : 'internalServerError',
    reconnect,
    requestId,
  })
}

/** Time (ms) after which clients that do not respond to the close are cut off. */
const patience = 1_000

/** Closes a socket, by default since this server stops. Ends when the client is gone. */
export function closeSocket(socket: WebSocket, code = 1001, reason = 'server stops'): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), patience).unref()
  })
}

const piece = 65_536

const soon = 5

/** Whole frames are written to the connection itself: half of what a fan-out costs is spent between socket and stream. */
export function createSendBuffer(duplex: Duplex, limit: number): SendBuffer {
  let waiting: Buffer[] = []
  let bytes = 0
  const force = (frame: Buffer) => {
    waiting.push(frame)
    bytes += frame.length
    if (bytes > piece) flush()
  }
  const flush = () => {
    const [first] = waiting
    if (first === undefined) return
    const whole = waiting.length === 1 ? first : Buffer.concat(waiting, bytes)
    waiting = []
    bytes = 0
    if (!duplex.destroyed && duplex.writable) duplex.write(whole)
  }
  return {
    push(frame) {
      const before = bytes + duplex.writableLength
      // A frame larger than the limit is accepted if the buffer is empty.
      if (before > 0 && before + frame.length > limit) return false
      force(frame)
      return true
    },
    force,
    flush,
    isFull: () => bytes + duplex.writableLength > limit,
    drained: () =>
      new Promise((resolve) => {
        if (duplex.destroyed || duplex.writableLength === 0) return resolve()
        const done = () => {
          duplex.off('drain', done).off('close', done)
          resolve()
        }
        duplex.on('drain', done).on('close', done)
        // Too little waits for the stream to tell when it has left.
        if (!duplex.writableNeedDrain) setTimeout(done, soon)
      }),
  }
}
