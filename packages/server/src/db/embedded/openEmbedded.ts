import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import type { Backend } from '../Backend.ts'
import { channelName } from '../channelName.ts'
import { createStatementNames } from '../createStatementNames.ts'
import type { Statement } from '../Database.ts'
import type { OpenDatabaseOptions } from '../openDatabase.ts'
import { reserveClient } from '../reserveClient.ts'
import { runStatement } from '../runStatement.ts'
import { createEmbeddedConnection } from './createEmbeddedConnection.ts'
import { createTurns } from './createTurns.ts'
import { type OpenedFolder, openFolder } from './openFolder.ts'
import { unsyncedParams } from './startParams.ts'
import { tidy } from './tidy.ts'

const TIDY_EVERY = 60_000
const LOG_BYTES = 64 * 1024 * 1024

/** Milliseconds from the failure to the first try to open the database again, and from one try to the next at most. */
const FIRST_TRY = 250
const LONGEST_WAIT = 30_000

type Handler = { handle: (payload: string) => void; missed: () => void }

/**
 * PostgreSQL inside this process, on a folder of its own; `memory://` keeps nothing. It gives itself up where the disk
 * refuses its log, as it does when the disk is full. It is then opened again and recovers from the log as after a
 * crash, so that nothing acknowledged is lost; until that succeeds every statement is refused.
 */
export const openEmbedded = async ({ dataFolder, template, logger }: OpenDatabaseOptions): Promise<Backend> => {
  const folder = dataFolder === 'memory://' ? undefined : await openFolder(dataFolder)
  const names = createStatementNames()
  const turns = createTurns()
  const handlers = new Map<string, Set<Handler>>()
  const closing = new AbortController()
  let reopening: Promise<void> | undefined

  const connect = async (pglite: PGlite) => {
    const { client, failure } = createEmbeddedConnection(pglite, (error) => {
      logger?.error({ err: error }, error.message)
      if (folder && !closing.signal.aborted) reopening ??= reopen(folder)
    })
    await client.connect()
    pglite.onNotification((channel, payload) => {
      for (const { handle } of handlers.get(channel) ?? []) handle(payload)
    })
    return { pglite, client, failure }
  }

  const reopen = async (broken: OpenedFolder): Promise<void> => {
    for (let wait = FIRST_TRY; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        const next = await connect(await broken.reopen())
        for (const name of handlers.keys()) await next.client.query(`listen ${name}`)
        current = next
        reopening = undefined
        break
      } catch (error) {
        logger?.error({ err: error }, 'The embedded database could not be opened again; it is tried once more')
      }
    }
    logger?.warn({}, 'The embedded database was opened again')
    for (const { missed } of [...handlers.values()].flatMap((handling) => [...handling])) missed()
  }

  let current = await connect(
    folder?.pglite ??
      (await PGlite.create('memory://', { startParams: unsyncedParams, ...(template && { loadDataDir: template }) })),
  )

  const query = <Row>(statement: Statement) =>
    turns.pass(() => {
      const failure = current.failure()
      return failure ? Promise.reject(failure) : runStatement<Row>(names, current.client, statement)
    })

  const tidying = setInterval(() => {
    tidy(query, { logBytes: LOG_BYTES }).catch((error) => {
      if (!closing.signal.aborted) logger?.warn({ err: error }, 'The embedded database could not be tidied')
    })
  }, TIDY_EVERY)
  tidying.unref()

  return {
    query,
    reserve: async () => {
      const give = await turns.take()
      const failure = current.failure()
      if (!failure) return reserveClient(names, current.client, give)
      give()
      throw failure
    },
    listen: async (channel, handle, missed) => {
      const name = channelName(channel)
      const handling = handlers.get(name) ?? new Set()
      const handler = { handle, missed }
      handlers.set(name, handling.add(handler))
      await query({ text: `listen ${name}` })
      return async () => {
        handling.delete(handler)
        if (handling.size > 0 || handlers.get(name) !== handling || closing.signal.aborted) return
        handlers.delete(name)
        await query({ text: `unlisten ${name}` })
      }
    },
    listening: () => !closing.signal.aborted && !current.failure(),
    close: async () => {
      closing.abort()
      clearInterval(tidying)
      await reopening
      const give = await turns.take()
      await current.client.end()
      // Whoever still waits gets an answer: the client refuses them.
      give()
      if (!current.failure()) await current.pglite.close()
      await folder?.release()
    },
  }
}
