import type { Readable } from 'node:stream'
import { CountersignError, refuse } from '@countersign/protocol'

/** A body as a whole. What it takes of the memory is free again once `release` was called. */
export type HeldBody = { content: Buffer; release(): void }

type Arriving = { held: Buffer; size: number; began: number; fail(error: Error): void }

/** Grace period before a sender counts as slow. */
const grace = 1_000

/**
 * Request bodies in memory: limited for the whole process, counted as they arrive. Without room, the slowest sender is
 * cut off: one that stopped in the middle of a body takes nothing from the others.
 */
export function createBodies(budget: number) {
  const arriving = new Set<Arriving>()
  let used = 0

  return {
    /** Bytes that are held now. */
    used: () => used,
    /** Reads a body. What is too large, or has no room, is refused, and the rest of it thrown away as it comes. */
    read(stream: Readable, largest: number, promised: number | undefined): Promise<HeldBody> {
      return new Promise((resolve, reject) => {
        if (promised !== undefined && promised > largest) return reject(tooLarge())
        const body: Arriving = { held: Buffer.alloc(0), size: 0, began: performance.now(), fail }
        arriving.add(body)
        stream.on('data', take).once('end', finish).once('error', leave).once('close', leave)

        function take(chunk: Buffer): void {
          const size = body.size + chunk.length
          if (size > largest) return void fail(tooLarge())
          // Copied, so that many small pieces take no more than their bytes.
          if (size > body.held.length) {
            const length = Math.max(size, Math.min(2 * body.held.length, promised ?? largest))
            if (!makeRoom(length - body.held.length, body)) return
            const grown = Buffer.allocUnsafe(length)
            body.held.copy(grown, 0, 0, body.size)
            body.held = grown
          }
          chunk.copy(body.held, body.size)
          body.size = size
        }

        function finish(): void {
          if (!arriving.delete(body)) return
          resolve({ content: body.held.subarray(0, body.size), release })
        }

        /** Every stream closes in the end: an error, which is dear to make, is made of those alone that stopped before. */
        function leave(): void {
          if (arriving.has(body)) fail(new CountersignError('ConnectionFailed', 'The request was interrupted.'))
        }

        function fail(error: Error): void {
          if (!arriving.delete(body)) return
          release()
          stream
            .off('data', take)
            .on('error', () => {})
            .resume()
          reject(error)
        }

        function release(): void {
          used -= body.held.length
          body.held = Buffer.alloc(0)
        }
      })
    },
  }

  /** Makes room for more bytes of a body. Returns false if the body was refused. */
  function makeRoom(bytes: number, body: Arriving): boolean {
    while (used + bytes > budget) {
      const slowest = findSlowest() ?? body
      slowest.fail(noRoom())
      if (slowest === body) return false
    }
    used += bytes
    return true
  }

  function findSlowest(): Arriving | undefined {
    const now = performance.now()
    let slowest: Arriving | undefined
    let least = Number.POSITIVE_INFINITY
    for (const body of arriving) {
      const time = now - body.began
      if (time < grace || body.size / time >= least) continue
      slowest = body
      least = body.size / time
    }
    return slowest
  }
}

export type Bodies = ReturnType<typeof createBodies>

export function tooLarge(): CountersignError {
  return refuse('bodyTooLarge')
}

function noRoom(): CountersignError {
  return new CountersignError('InternalServerError', 'The server is busy. Try again in a moment.', {
    status: 503,
    rateLimit: { retryAfter: 1 },
  })
}
