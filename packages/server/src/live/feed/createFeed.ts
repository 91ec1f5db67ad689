import type { Logger } from 'pino'
import { createLoop } from '../../context/createLoop.ts'
import type { Database } from '../../db/Database.ts'
import { createReader } from './createReader.ts'
import { createRecorder } from './createRecorder.ts'
import { createWaker } from './createWaker.ts'
import type { Feed, Position, WatchedBatch } from './Feed.ts'
import type { Place } from './Place.ts'
import { parsePlace } from './parsePlace.ts'
import { readSince } from './readSince.ts'
import { sweepChanges } from './sweepChanges.ts'

type Parts = {
  db: Database
  log: Logger
  /** Milliseconds that changes are kept. */
  retention: number
}

/** The log of changes, which all servers on one database write and read together. One for each server. */
export async function createFeed({ db, log, retention }: Parts): Promise<Feed> {
  const handlers = new Set<(batch: WatchedBatch) => void | Promise<void>>()
  const recorder = createRecorder({ db, retention })

  const handle = async (batch: WatchedBatch) => {
    for (const handler of handlers) {
      try {
        await handler(batch)
      } catch (error) {
        log.error({ err: error }, 'changes could not be handed on')
      }
    }
  }

  const reader = await createReader({ db, log, classNames: recorder.classNames, renew: recorder.renew, handle })
  const waker = await createWaker({ db, log, wakeReader: reader.wake })
  let renewed = performance.now()

  const sweep = createLoop({
    log,
    name: 'sweep of changes',
    poll: Math.min(10_000, Math.max(100, retention / 20)),
    turn: async () => {
      if (performance.now() - renewed > retention / 2) {
        await reader.renew()
        renewed = performance.now()
      }
      await sweepChanges({ db, log, retention })
      await waker.refresh()
    },
  })

  return {
    async openClass(className) {
      await recorder.open(className)
      await reader.catchUp()
      return reader.current()
    },
    closeClass: recorder.close,
    watch(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    read: (from, to, className) => readSince(db, placeOf(from), placeOf(to), className),
    parsePosition: (text) =>
      typeof text === 'string' && parsePlace(text) !== undefined ? (text as Position) : undefined,
    current: reader.current,
    wake: waker.wake,
    async stop() {
      await Promise.all([waker.stop(), sweep.stop(), reader.stop()])
    },
  }
}

function placeOf(position: Position): Place {
  const place = parsePlace(position)
  if (!place) throw new Error('Not a position.')
  return place
}
