import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; text: string; ms: number }

/** Time (ms) in which every request must get its response. */
const patience = 90_000

/**
 * Kept connections with one request under way on each. Requests are written by hand: clients refuse to send some of the
 * headers that a server must survive, and are slower.
 */
export function createConnections(port: number, count: number) {
  const idle: Connection[] = Array.from({ length: count }, () => createConnection(port))
  const waiting: ((connection: Connection) => void)[] = []

  async function send(bytes: Buffer): Promise<RawAnswer> {
    const connection = idle.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
    try {
      return await connection.send(bytes)
    } finally {
      const next = waiting.shift()
      if (next) next(connection)
      else idle.push(connection)
    }
  }

  function close(): void {
    for (const connection of idle) connection.close()
  }

  return { send, close }
}

type Connection = ReturnType<typeof createConnection>

function createConnection(port: number) {
  let socket: Socket | undefined

  async function send(bytes: Buffer): Promise<RawAnswer> {
    const start = performance.now()
    for (let attempt = 1; ; attempt++) {
      const isNew = !socket
      const current = socket ?? (await open(port))
      socket = current
      const answer = await ask(current, bytes)
      const isOver = answer === 'closed' || answer.headers.connection === 'close' || answer.status >= 500
      if (isOver) {
        current.destroy()
        socket = undefined
      }
      if (answer !== 'closed') return { ...answer, ms: performance.now() - start }
      // The server may have closed an idle connection just before.
      if (isNew || attempt > 2) return { status: 0, headers: {}, text: '', ms: performance.now() - start }
    }
  }

  return { send, close: () => socket?.destroy() }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    // Errors after this end the connection, which is noticed by its close.
    socket.on('error', reject)
  })
}

function ask(socket: Socket, bytes: Buffer): Promise<Omit<RawAnswer, 'ms'> | 'closed'> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => finish({ status: -1, headers: { connection: 'close' }, text: '' }), patience)
    const finish = (answer: Omit<RawAnswer, 'ms'> | 'closed') => {
      clearTimeout(timer)
      socket.off('data', read)
      socket.off('close', end)
      resolve(answer)
    }
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = readAnswer(received)
      if (answer) finish(answer)
    }
    const end = () => finish(readAnswer(received, true) ?? 'closed')
    socket.on('data', read)
    socket.once('close', end)
    if (socket.destroyed) end()
    socket.write(bytes)
  })
}

/** The response in these bytes, if it is complete. */
function readAnswer(bytes: Buffer, isEnd = false): Omit<RawAnswer, 'ms'> | undefined {
  const split = bytes.indexOf('\r\n\r\n')
  if (split < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, split).split('\r\n')
  const status = Number(first.split(' ')[1])
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = bytes.subarray(split + 4)
  if (status === 100) return readAnswer(body, isEnd)
  const length = headers['content-length']
  if (length !== undefined)
    return body.length >= Number(length) || isEnd ? { status, headers, text: body.toString() } : undefined
  if (headers['transfer-encoding'] === 'chunked') {
    const isComplete = bytes.subarray(-7).toString('latin1').endsWith('0\r\n\r\n')
    return isComplete || isEnd ? { status, headers, text: body.toString() } : undefined
  }
  return status === 204 || status === 304 || isEnd ? { status, headers, text: body.toString() } : undefined
}
