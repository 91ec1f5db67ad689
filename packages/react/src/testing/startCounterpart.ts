import { createServer, type IncomingHttpHeaders } from 'node:http'

export type Arrival = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown; delay?: number }
  /** Cuts the connection without a response, after the request was read. */
  | 'cut'

export type Counterpart = {
  readonly serverUrl: string
  readonly arrivals: Arrival[]
  readonly close: () => Promise<void>
}

/** HTTP server with scripted responses, for faults that a healthy server cannot produce. */
export async function startCounterpart(answer: (arrival: Arrival, count: number) => Reply): Promise<Counterpart> {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const arrival = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      arrivals.push(arrival)
      const reply = answer(arrival, arrivals.length)
      if (reply === 'cut') {
        request.socket.destroy()
        return
      }
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {})
      setTimeout(() => {
        response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers })
        response.end(text)
      }, reply.delay ?? 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return {
    serverUrl: `http://127.0.0.1:${address.port}/server`,
    arrivals,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
