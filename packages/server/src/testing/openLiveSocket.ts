import { WebSocket } from 'ws'
import type { TestServer } from './createTestServer.ts'

export type LiveFrame = { op: string; [name: string]: unknown } & { object?: Record<string, unknown> }

export type LiveSocket = {
  socket: WebSocket
  /** All received frames, in order. */
  frames: LiveFrame[]
  send(frame: object | string): void
  /** The next frame that nobody took yet and that fits. */
  next(fits?: string | ((frame: LiveFrame) => boolean)): Promise<LiveFrame>
  /** Sends a subscription and waits for its response. */
  subscribe(requestId: number, query: object, more?: object): Promise<LiveFrame>
  /** The code that it was closed with. */
  closed: Promise<number>
  close(): void
}

type Options = {
  connect?: object
  headers?: Record<string, string>
  path?: string
  /** Sends no connect frame. */
  silent?: boolean
  /** Longest wait (ms) for a frame. With `Infinity` only the limit of the test counts. */
  patience?: number
}

/** A socket as a client opens it, without any client: what crosses the wire is seen as it is. */
export async function openLiveSocket(server: TestServer, options: Options = {}): Promise<LiveSocket> {
  const { patience = 20_000 } = options
  const url = `${server.serverUrl.replace('http', 'ws')}${options.path ?? ''}`
  const socket = new WebSocket(url, { headers: options.headers ?? {} })
  const frames: LiveFrame[] = []
  const taken = new Set<LiveFrame>()
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as LiveFrame)
    for (const look of [...waiting]) look()
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => {})

  const send = (frame: object | string) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  const next: LiveSocket['next'] = (fits = () => true) =>
    new Promise((resolve, reject) => {
      const check = typeof fits === 'string' ? (frame: LiveFrame) => frame.op === fits : fits
      const look = () => {
        const found = frames.find((frame) => !taken.has(frame) && check(frame))
        if (!found) return
        taken.add(found)
        waiting.delete(look)
        clearTimeout(timer)
        resolve(found)
      }
      const timer =
        patience === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(() => {
              waiting.delete(look)
              reject(new Error(`no such frame came; there were ${JSON.stringify(frames).slice(0, 2000)}`))
            }, patience)
      waiting.add(look)
      look()
    })

  if (!options.silent) {
    send({ op: 'connect', applicationId: server.appId, ...options.connect })
    await next((frame) => frame.op === 'connected' || frame.op === 'error')
  }
  return {
    socket,
    frames,
    send,
    next,
    async subscribe(requestId, query, more = {}) {
      send({ op: 'subscribe', requestId, query: { where: {}, ...query }, ...more })
      return next((frame) => frame.requestId === requestId && (frame.op === 'subscribed' || frame.op === 'error'))
    },
    closed,
    close: () => socket.terminate(),
  }
}
