import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { keys } from './startCountersign.mjs'

/** The server's own dependency. @type {typeof import('ws')} */
const { WebSocket } = createRequire(join(root, 'packages/server/package.json'))('ws')

/** A subscriber that comes back with its position where it is disconnected. @param {{ api: string }} server */
export async function openListener(server) {
  /** @type {Map<string, number>} */
  const events = new Map()
  let resyncs = 0
  let reconnects = -1
  let closed = false
  /** @type {unknown} */
  let position
  /** @type {import('ws').WebSocket} */
  let socket
  /** @type {(done: () => void) => void} */
  const open = (done) => {
    reconnects++
    socket = new WebSocket(server.api.replace('http', 'ws'))
    socket.on('error', () => {})
    socket.on('close', () => !closed && setTimeout(open, 100, done))
    socket.on('open', () =>
      socket.send(JSON.stringify({ op: 'connect', applicationId: keys.appId, features: ['positions'] })),
    )
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.op === 'connected') {
        const query = { className: 'Drill', where: {} }
        socket.send(JSON.stringify({ op: 'subscribe', requestId: 1, query, ...(position ? { from: position } : {}) }))
      }
      if (frame.op === 'resync') resyncs++
      if (frame.position) ({ position } = frame)
      if (frame.op === 'subscribed') done()
      if (!frame.object) return
      const key = `${frame.op} ${frame.object.name} ${frame.object.step}`
      events.set(key, (events.get(key) ?? 0) + 1)
    })
  }
  await new Promise((resolve) => open(() => resolve(undefined)))
  return {
    events,
    resyncs: () => resyncs,
    reconnects: () => reconnects,
    doubled: () => [...events.values()].filter((times) => times > 1).length,
    close() {
      closed = true
      socket.terminate()
    },
  }
}
