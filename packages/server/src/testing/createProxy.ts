import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** Sees what passes on one connection, before it passes. Returns the part of it that passes. */
export type Tap = { fromClient?(chunk: Buffer): Buffer; fromServer?(chunk: Buffer): Buffer; closed?(): void }

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
export const createProxy = async (
  target: { host: string; port: number },
  tap?: (cut: () => void) => Tap,
): Promise<CuttableProxy> => {
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
    const tapped = tap?.(() => {
      inner.destroy()
      outer.destroy()
    })
    inner.on('close', () => tapped?.closed?.())
    for (const [from, to, sees] of [
      [inner, outer, tapped?.fromClient],
      [outer, inner, tapped?.fromServer],
    ] as const) {
      if (sees) from.pipe(createFilter(sees)).pipe(to)
      else from.pipe(to)
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

const createFilter = (pass: (chunk: Buffer) => Buffer): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, pass(chunk))
    },
  })
