import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

/** @typedef {{ topic: string, message: string, publishedAt: number, tag: number }} Letter */

/**
 * A WalletConnect relay for one machine: passes messages on to the subscribers of their topic. Without authentication,
 * in memory only.
 */
export async function startRelay() {
  const http = createServer()
  const sockets = new WebSocketServer({ server: http })
  /** @type {Map<string, Letter[]>} */
  const letters = new Map()
  /** @type {Map<import('ws').WebSocket, Set<string>>} */
  const subscribers = new Map()
  let sent = 0

  /** @param {string} topic */
  const subscriptionId = (topic) => `subscription-${topic}`

  /**
   * @param {string} topic
   * @param {string} message
   * @param {number} tag
   * @param {import('ws').WebSocket} [sender]
   */
  function publish(topic, message, tag, sender) {
    const letter = { topic, message, publishedAt: Date.now(), tag }
    letters.set(topic, [...(letters.get(topic) ?? []), letter])
    for (const [socket, topics] of subscribers) {
      if (socket !== sender && topics.has(topic)) deliver(socket, letter)
    }
  }

  /**
   * @param {import('ws').WebSocket} socket
   * @param {Letter} letter
   */
  function deliver(socket, letter) {
    sent += 1
    const id = Date.now() * 1000 + sent
    const params = { id: subscriptionId(letter.topic), data: letter }
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }

  /**
   * @param {import('ws').WebSocket} socket
   * @param {string[]} topics
   */
  function subscribe(socket, topics) {
    for (const topic of topics) {
      subscribers.get(socket)?.add(topic)
      // A client that comes late gets what came before; clients know their own letters and those they have.
      for (const letter of letters.get(topic) ?? []) setImmediate(deliver, socket, letter)
    }
    return topics.map(subscriptionId)
  }

  /** @type {Record<string, (params: any, socket: import('ws').WebSocket) => unknown>} */
  const methods = {
    irn_publish({ topic, message, tag }, socket) {
      publish(topic, message, tag, socket)
      return true
    },
    irn_subscribe: ({ topic }, socket) => subscribe(socket, [topic])[0],
    irn_batchSubscribe: ({ topics }, socket) => subscribe(socket, topics),
    irn_unsubscribe: ({ topic }, socket) => subscribers.get(socket)?.delete(topic) ?? false,
    irn_fetchMessages: ({ topic }) => ({ messages: letters.get(topic) ?? [], hasMore: false }),
    irn_batchFetchMessages: ({ topics }) => ({
      messages: topics.flatMap((/** @type {string} */ topic) => letters.get(topic) ?? []),
      hasMore: false,
    }),
    wc_proposeSession({ pairingTopic, sessionProposal }, socket) {
      subscribers.get(socket)?.add(pairingTopic)
      publish(pairingTopic, sessionProposal, 1100, socket)
      return true
    },
    wc_approveSession({ pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest }, socket) {
      subscribers.get(socket)?.add(sessionTopic)
      publish(pairingTopic, sessionProposalResponse, 1101, socket)
      publish(sessionTopic, sessionSettlementRequest, 1102, socket)
      return true
    },
  }

  sockets.on('connection', (socket) => {
    subscribers.set(socket, new Set())
    socket.on('close', () => subscribers.delete(socket))
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data))
      if (!method) return
      const act = methods[method]
      const answer = act ? { result: act(params, socket) } : { error: { code: -32601, message: `No ${method} here` } }
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', ...answer }))
    })
  })

  /** @param {number} port */
  const listen = (port) => new Promise((resolve) => http.listen(port, '127.0.0.1', () => resolve(undefined)))
  await listen(0)
  const address = http.address()
  const port = address && typeof address === 'object' ? address.port : 0

  return {
    url: `ws://127.0.0.1:${port}`,
    /** Number of connections. */
    count: () => subscribers.size,
    /** Cuts every line, as a restart does. With `closed` nobody gets through until `open`. */
    async drop({ closed = false } = {}) {
      for (const socket of subscribers.keys()) socket.terminate()
      if (closed) await new Promise((resolve) => http.close(resolve))
    },
    open: () => listen(port),
  }
}
