import { randomBytes, randomUUID } from 'node:crypto'
import { WebSocketServer } from 'ws'

/**
 * The bare ceiling: one insert, one text, and `send` to every socket. No conditions, no rights, no log.
 *
 * @param {import('fastify').FastifyInstance} app
 * @param {import('../types.d.ts').CeilingTools} tools
 */
export function serveBareSockets(app, { query }) {
  /** @type {Set<import('ws').WebSocket>} */
  const sockets = new Set()
  const clientId = randomUUID()
  new WebSocketServer({ server: app.server, perMessageDeflate: false }).on('connection', (socket) => {
    socket.on('message', (data) => {
      const { op } = JSON.parse(String(data))
      socket.send(
        JSON.stringify(op === 'connect' ? { op: 'connected', clientId } : { op: 'subscribed', clientId, requestId: 1 }),
      )
      if (op === 'subscribe') sockets.add(socket)
    })
    socket.on('close', () => sockets.delete(socket))
  })
  app.post('/live', async (request, reply) => {
    const fields = /** @type {import('./newLive.mjs').Live} */ (request.body)
    const id = randomBytes(8).toString('base64url')
    const [made] = await query({
      name: 'liveFanOut',
      text: `insert into scores (id, player, points, level, cheated, played_at, tags, game)
             values ($1, $2, $3, $4, $5, now(), $6, 'g1') returning id, created_at`,
      values: [id, fields.player, fields.points, fields.room, fields.cheated, JSON.stringify(fields.tags)],
    })
    const now = new Date().toISOString()
    const object = { ...fields, className: 'Live', objectId: id, createdAt: now, updatedAt: now }
    const text = JSON.stringify({ op: 'create', clientId, requestId: 1, object })
    if (fields.room === 1) for (const socket of sockets) socket.send(text)
    return reply.code(201).send(made)
  })
}
