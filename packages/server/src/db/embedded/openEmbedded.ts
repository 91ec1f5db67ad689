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
import { openFolder } from './openFolder.ts'
import { unsyncedParams } from './startParams.ts'
import { tidy } from './tidy.ts'

const TIDY_EVERY = 60_000
const LOG_BYTES = 64 * 1024 * 1024

/** PostgreSQL inside this process, on a folder of its own; `memory://` keeps nothing. */
export const openEmbedded = async ({ dataFolder, template, logger }: OpenDatabaseOptions): Promise<Backend> => {
  const folder = dataFolder === 'memory://' ? undefined : await openFolder(dataFolder)
  const pglite =
    folder?.pglite ??
    (await PGlite.create('memory://', { startParams: unsyncedParams, ...(template && { loadDataDir: template }) }))
  const { client, failure } = createEmbeddedConnection(pglite, (error) => logger?.error({ err: error }, error.message))
  await client.connect()

  const names = createStatementNames()
  const turns = createTurns()
  const handlers = new Map<string, Set<(payload: string) => void>>()
  let closed = false

  const query = <Row>(statement: Statement) => turns.pass(() => runStatement<Row>(names, client, statement))

  pglite.onNotification((channel, payload) => {
    for (const handle of handlers.get(channel) ?? []) handle(payload)
  })

  const tidying = setInterval(() => {
    tidy(query, { logBytes: LOG_BYTES }).catch((error) => {
      if (!closed) logger?.warn({ err: error }, 'The embedded database could not be tidied')
    })
  }, TIDY_EVERY)
  tidying.unref()

  return {
    query,
    reserve: async () => {
      const give = await turns.take()
      return reserveClient(names, client, give)
    },
    listen: async (channel, handle) => {
      const name = channelName(channel)
      const handling = handlers.get(name) ?? new Set()
      handlers.set(name, handling.add(handle))
      await query({ text: `listen ${name}` })
      return async () => {
        handling.delete(handle)
        if (handling.size > 0 || handlers.get(name) !== handling || closed) return
        handlers.delete(name)
        await query({ text: `unlisten ${name}` })
      }
    },
    listening: () => !closed && !failure(),
    close: async () => {
      closed = true
      clearInterval(tidying)
      const give = await turns.take()
      await client.end()
      // Whoever still waits gets an answer: the client refuses them.
      give()
      if (!failure()) await pglite.close()
      await folder?.release()
    },
  }
}
