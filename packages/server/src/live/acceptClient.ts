import { randomUUID } from 'node:crypto'
import { CountersignError, type LiveRequest, liveAccess, liveGuest, livePositions } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import { findHooks } from '../hooks/runHooks.ts'
import { callerFor } from './callerFor.ts'
import { endSubscription } from './endSubscription.ts'
import type { LiveClient, LiveParts, Visitor } from './Live.ts'
import {
  closeSocket,
  createSendBuffer,
  findRequestId,
  frameCodes,
  MalformedFrame,
  parseFrame,
  readFrame,
  sendError,
  sendFrame,
  UnknownField,
} from './sockets/frames.ts'
import { subscribe } from './subscribe.ts'

/** Maximum of unprocessed messages, until no more are read from a client. */
const mostWaiting = 50

/** Accepts a socket: its messages are processed one after another, and nothing it sends ends more than itself. */
export function acceptClient(parts: LiveParts, visitor: Visitor): void {
  const { socket, duplex, ipAddress } = visitor
  // A new client would delay the stop of the server.
  if (parts.flow.isStopped) return void closeSocket(socket.on('error', () => {}))
  const { connectTimeout, maxBufferedBytes } = parts.context.config.liveQuery
  const id = randomUUID()
  const client: LiveClient = {
    id,
    socket,
    sendBuffer: createSendBuffer(duplex, maxBufferedBytes),
    ipAddress,
    subscriptions: new Map(),
    caller: undefined,
    token: undefined,
    users: new Set(),
    positions: false,
    followsAccess: false,
    who: `"clientId":"${id}"`,
    slow: undefined,
    isAlive: true,
  }
  const waiting: { data: Buffer; isBinary: boolean }[] = []
  let isBusy = false
  parts.clients.add(client)
  parts.stats.sockets++
  const timer = setTimeout(() => !client.caller && socket.close(1008, 'connect first'), connectTimeout)

  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (socket.readyState !== socket.OPEN) return
      await answer(parts, client, visitor, next.data, next.isBinary)
      // Backpressure: pause clients that do not read. Their responses would fill the memory.
      while (client.sendBuffer.isFull() && socket.readyState === socket.OPEN) await client.sendBuffer.drained()
      if (waiting.length === 0) socket.resume()
    }
  }
  socket.on('message', (data, isBinary) => {
    waiting.push({ data: data as Buffer, isBinary })
    if (waiting.length >= mostWaiting) socket.pause()
    if (isBusy) return
    isBusy = true
    void work().finally(() => {
      isBusy = false
    })
  })
  socket.on('ping', () => {
    // Each ping gets a pong automatically.
    if (socket.isPaused || !client.sendBuffer.isFull()) return
    socket.pause()
    void client.sendBuffer.drained().then(() => waiting.length < mostWaiting && socket.resume())
  })
  socket.on('pong', () => {
    client.isAlive = true
  })
  // Frames that are too large or no frames at all: the socket closes itself.
  socket.on('error', (error) => parts.context.log.debug({ err: error }, 'socket failed'))
  socket.on('close', () => {
    clearTimeout(timer)
    waiting.length = 0
    parts.clients.delete(client)
    parts.stats.sockets--
    for (const subscription of [...client.subscriptions.values()]) endSubscription(parts, subscription)
    for (const userId of client.users) {
      const sockets = parts.users.get(userId)
      sockets?.delete(client)
      if (sockets?.size === 0) parts.users.delete(userId)
    }
  })
}

async function answer(
  parts: LiveParts,
  client: LiveClient,
  visitor: Visitor,
  data: Buffer,
  isBinary: boolean,
): Promise<void> {
  let given: ReturnType<typeof parseFrame>
  try {
    given = parseFrame(data, isBinary)
    const frame = readFrame(given)
    if (frame.op === 'connect') return await connect(parts, client, visitor, frame)
    const { requestId } = frame
    if (frame.op !== 'unsubscribe') return await subscribe(parts, client, frame, data.length)
    const subscription = client.subscriptions.get(requestId)
    if (!subscription) {
      throw new CountersignError(frameCodes.unknownClient, `No subscription has the requestId ${requestId}.`)
    }
    endSubscription(parts, subscription)
    sendFrame(client, { op: 'unsubscribed', requestId })
  } catch (error) {
    const isOwn = !(error instanceof CountersignError)
    if (isOwn) parts.context.log.error({ err: error }, 'a message of a live client failed')
    const isUnknownField = error instanceof UnknownField
    sendError(client, error, isUnknownField ? null : (findRequestId(given) ?? null), isOwn || isUnknownField)
  }
}

/** Handles the first message, which identifies the client. A failure ends the connection. */
async function connect(
  parts: LiveParts,
  client: LiveClient,
  visitor: Visitor,
  frame: Extract<LiveRequest, { op: 'connect' }>,
): Promise<void> {
  if (client.caller) throw new MalformedFrame('This client is already connected.')
  try {
    const caller = await visitor.identify(frame).catch(() => {
      throw new CountersignError(frameCodes.wrongKey, 'Key in request is not valid')
    })
    client.positions = frame.features?.includes(livePositions) ?? false
    client.followsAccess = frame.features?.includes(liveAccess) ?? false
    const isGuest = frame.features?.includes(liveGuest) ?? false
    client.token = frame.sessionToken ?? (isGuest ? undefined : visitor.cookieToken)
    client.caller = caller
    const installation = caller.installationId && `,"installationId":${JSON.stringify(caller.installationId)}`
    client.who = `"clientId":"${client.id}"${installation ?? ''}`
    await askHooks(parts, client)
    sendFrame(client, { op: 'connected' })
  } catch (error) {
    client.caller = undefined
    sendError(client, error, null)
    client.socket.close(1008, 'not connected')
  }
}

async function askHooks(parts: LiveParts, client: LiveClient): Promise<void> {
  const handlers = findHooks(parts.context, 'beforeConnect', '@Connect')
  if (!handlers) return
  const { token } = client
  // A hook judges an invalid token first: its refusal is the client's response.
  let failure: unknown
  const caller = await callerFor(parts, client, undefined).catch((error: unknown) => {
    failure = error
    return { ...(client.caller as Caller) }
  })
  const event = {
    className: '@Connect',
    caller: codeCallerOf(caller),
    ...(token !== undefined && { sessionToken: token }),
  }
  for (const handle of handlers) await handle({ hook: 'beforeConnect', ...event })
  if (failure !== undefined) throw failure
}
