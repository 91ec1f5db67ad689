import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type CuttableProxy = {
  port: number
  /** Lets connections through from now on. */
  open(): Promise<void>
  /** Cuts all connections and refuses new ones. */
  close(): Promise<void>
  /** Keeps all connections as they are but lets nothing through: as a peer that has vanished without a word. */
  stall(): void
  /** The same for connections that listen for notifications alone, those that are yet to come included. */
  silence(): void
  /** How many connections there are. */
  connections(): number
}

/** A network between the server and its database that can be cut. */
export const createProxy = async (target: { host: string; port: number }): Promise<CuttableProxy> => {
  const pairs = new Set<[Socket, Socket]>()
  const hearing = new Set<[Socket, Socket]>()
  let silent = false
  let port = 0
  let server: Server | undefined

  const accept = (inner: Socket) => {
    const outer = connect(target.port, target.host)
    const pair: [Socket, Socket] = [inner, outer]
    pairs.add(pair)
    inner.on('data', (chunk: Buffer) => {
      if (!chunk.includes('listen countersign')) return
      hearing.add(pair)
      if (silent) stallPair(pair)
    })
    for (const [from, to] of [pair, [outer, inner] as const]) {
      from.pipe(to)
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
        hearing.delete(pair)
      })
    }
  }

  const open = () =>
    new Promise<void>((resolve, reject) => {
      const listening = createServer(accept)
      server = listening
      listening.once('error', reject)
      listening.listen(port, '127.0.0.1', () => {
        port = (listening.address() as AddressInfo).port
        resolve()
      })
    })

  const close = () =>
    new Promise<void>((resolve) => {
      const closing = server
      server = undefined
      for (const [inner, outer] of pairs) {
        inner.destroy()
        outer.destroy()
      }
      if (closing) closing.close(() => resolve())
      else resolve()
    })

  const stallPair = ([inner, outer]: [Socket, Socket]) => {
    inner.unpipe()
    outer.unpipe()
    inner.pause()
    outer.pause()
  }

  const stall = () => {
    for (const pair of pairs) stallPair(pair)
  }

  const silence = () => {
    silent = true
    for (const pair of hearing) stallPair(pair)
  }

  await open()
  return { port, open, close, stall, silence, connections: () => pairs.size }
}
