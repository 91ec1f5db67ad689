import type { Duplex } from 'node:stream'

/** What goes out to one client. Frames wait for `flush`, so that several of one turn leave in one piece. */
export type Outlet = {
  /** `false` where the frame does not fit: the client reads too slowly, and nothing was taken. */
  push(frame: Buffer): boolean
  /** Takes the frame whatever waits already: for the few that the server itself has to say. */
  force(frame: Buffer): void
  flush(): void
  /** Whether more waits than the client may leave unread. */
  isFull(): boolean
  /** Resolves when everything has left, or the connection has ended. */
  drained(): Promise<void>
}

const piece = 65_536
const soon = 5

/** Whole frames are written to the connection itself: half of what a fan-out costs is spent between socket and stream. */
export function createOutlet(duplex: Duplex, limit: number): Outlet {
  let waiting: Buffer[] = []
  let bytes = 0
  const force = (frame: Buffer) => {
    waiting.push(frame)
    bytes += frame.length
    if (bytes > piece) flush()
  }
  const flush = () => {
    const [first] = waiting
    if (first === undefined) return
    const whole = waiting.length === 1 ? first : Buffer.concat(waiting, bytes)
    waiting = []
    bytes = 0
    if (!duplex.destroyed && duplex.writable) duplex.write(whole)
  }
  return {
    push(frame) {
      const before = bytes + duplex.writableLength
      // One that is larger than the bound by itself may go when nothing else waits.
      if (before > 0 && before + frame.length > limit) return false
      force(frame)
      return true
    },
    force,
    flush,
    isFull: () => bytes + duplex.writableLength > limit,
    drained: () =>
      new Promise((resolve) => {
        if (duplex.destroyed || duplex.writableLength === 0) return resolve()
        const done = () => {
          duplex.off('drain', done).off('close', done)
          resolve()
        }
        duplex.on('drain', done).on('close', done)
        // Too little waits for the stream to tell when it has left.
        if (!duplex.writableNeedDrain) setTimeout(done, soon)
      }),
  }
}
