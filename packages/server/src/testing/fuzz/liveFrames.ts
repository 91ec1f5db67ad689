import fc from 'fast-check'
import { WebSocket } from 'ws'
import type { FuzzFinding } from './Finding.ts'
import { hostileText, hostileValue, mutated, writeJson } from './hostileValues.ts'
import { findForeign } from './judge.ts'
import type { QueryTrees } from './queryTrees.ts'
import type { FuzzActor, World } from './World.ts'

/** Frames of clients: valid, nearly valid and hostile. */
export function createFrames({ pool, server }: World, trees: QueryTrees): fc.Arbitrary<string> {
  const requestId = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom<unknown>(0, -1, 1.5, 'x', 1e308, null))
  const names = fc.constantFrom<unknown>(['s'], ['secret'], ['o.a'], [], ['__proto__'], 's', [1], ['p.secret'])
  const query = fc.record(
    {
      className: pool.one('className'),
      where: fc.oneof({ weight: 3, arbitrary: trees.where }, { weight: 1, arbitrary: fc.constant({}) }),
      keys: names,
      fields: names,
      watch: names,
    },
    { requiredKeys: ['className', 'where'] },
  )
  const position = fc.oneof(pool.one('position'), fc.constantFrom<unknown>('x', '', '0:0:0', 1, {}))
  const frame = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        {
          op: fc.constantFrom('subscribe', 'subscribe', 'update'),
          requestId,
          query,
          from: position,
          sessionToken: pool.one('token'),
        },
        { requiredKeys: ['op', 'requestId', 'query'] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('unsubscribe'), requestId }) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          op: fc.constant('connect'),
          applicationId: fc.constantFrom(server.appId, 'x'),
          sessionToken: pool.one('token'),
          masterKey: fc.constant('x'),
          features: names,
        },
        { requiredKeys: ['op'] },
      ),
    },
    { weight: 1, arbitrary: fc.record({ op: hostileValue, requestId }) },
  )
  return fc.oneof(
    { weight: 12, arbitrary: mutated(frame).map(writeJson) },
    { weight: 1, arbitrary: hostileText },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '[]',
        'null',
        '1',
        '{',
        `{"op":${'['.repeat(5_000)}`,
        `{"op":"subscribe","requestId":1,"query":{"className":"Note","where":{"$or":[${'{},'.repeat(3_000)}{}]}}}`,
      ),
    },
  )
}

type Socket = { actor: FuzzActor; socket: WebSocket; sent: number; last: string[] }

/** Frames sent on one socket before it is replaced. */
const most = 200

/** Sockets of unprivileged callers. Each received frame is searched for secrets. */
export function createSockets(world: World, report: (finding: FuzzFinding) => void) {
  const sockets = new Map<string, Socket>()

  function open(actor: FuzzActor): Promise<Socket> {
    const { server } = world
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(server.serverUrl.replace('http', 'ws'))
      const made: Socket = { actor, socket, sent: 0, last: [] }
      const token = actor.headers['x-parse-session-token']
      socket.once('open', () => {
        socket.send(
          JSON.stringify({
            op: 'connect',
            applicationId: server.appId,
            features: ['positions'],
            ...(actor.kind !== 'guest' && { sessionToken: token }),
            ...(actor.kind === 'master' && { masterKey: server.context.keys.masterKey }),
          }),
        )
        resolve(made)
      })
      socket.once('error', reject)
      socket.on('message', (data) => receive(made, String(data)))
      socket.on('close', () => sockets.get(actor.name) === made && sockets.delete(actor.name))
    })
  }

  function receive({ actor, last }: Socket, text: string): void {
    const input = last.join('\n')
    for (const label of findForeign(world, actor, text))
      report({
        rule: 'foreignData',
        message: `A live frame shows ${label} to ${actor.name}: ${text.slice(0, 200)}`,
        endpoint: 'live',
        input,
      })
    if (/"internalServerError"|\bat .*\.[jt]s:\d|syntax error at|SQLSTATE/.test(text))
      report({
        rule: 'serverError',
        message: `A live frame is an internal error: ${text.slice(0, 300)}`,
        endpoint: 'live',
        input,
      })
    const position = /"position":"([^"]+)"/.exec(text)?.[1]
    if (position !== undefined) world.pool.add('position', position)
  }

  return {
    /** Sends a frame, and waits until the server has had time for it. */
    async send(actor: FuzzActor, frame: string): Promise<void> {
      const known = sockets.get(actor.name)
      const isUsable = known && known.socket.readyState === WebSocket.OPEN && known.sent < most && known.actor === actor
      if (known && !isUsable) known.socket.terminate()
      const socket = isUsable ? known : await open(actor)
      sockets.set(actor.name, socket)
      socket.sent++
      socket.last = [...socket.last.slice(-4), frame]
      socket.socket.send(frame)
      await new Promise((resolve) => setTimeout(resolve, 3))
    },
    close() {
      for (const { socket } of sockets.values()) socket.terminate()
    },
  }
}
