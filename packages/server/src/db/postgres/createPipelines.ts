import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { StatementNames } from '../createStatementNames.ts'
import type { Statement } from '../Database.ts'
import type { DatabaseLogger } from '../DatabaseLogger.ts'
import { DatabaseUnavailable, translateError } from '../databaseErrors.ts'
import { runStatement } from '../runStatement.ts'
import { endClient } from './endClient.ts'
import { watchConnection } from './watchConnection.ts'

type Parts = {
  connect: () => Promise<Client>
  names: StatementNames
  size?: number
  logger?: DatabaseLogger | undefined
}

export type Pipelines = {
  query<Row>(statement: Statement): Promise<Row[]>
  close(): Promise<void>
}

const LONGEST_PAUSE = 500
// The question waits behind the statements in flight, so it is given longer than any of them should take.
const WATCH = { every: 5_000, within: 30_000 }

type Pipeline = { client: Client; corked: boolean }

/** What is asked within one turn of the event loop goes out in one write. */
const cork = (pipeline: Pipeline) => {
  const { stream } = pipeline.client.connection
  pipeline.corked = true
  stream.cork()
  setImmediate(() => {
    pipeline.corked = false
    stream.uncork()
  })
}

/** A few connections that each carry many statements in flight: for statements that are cheap to answer. */
export const createPipelines = async ({ connect, names, size = 2, logger }: Parts): Promise<Pipelines> => {
  const live: Pipeline[] = []
  const attempts = new Set<Promise<Client>>()
  let next = 0
  let closed = false

  const open = async (): Promise<Client> => {
    const client = await connect()
    if (closed) {
      await endClient(client)
      throw new DatabaseUnavailable('The database is closed.')
    }
    const pipeline = { client, corked: false }
    live.push(pipeline)
    watchConnection(client, {
      ...WATCH,
      onLost: () => {
        live.splice(live.indexOf(pipeline), 1)
        if (closed) return
        logger?.warn({}, 'A database connection was lost')
        void replace()
      },
    })
    return client
  }

  const attempt = (): Promise<Client> => {
    const opening = open()
    attempts.add(opening)
    const settled = () => attempts.delete(opening)
    opening.then(settled, settled)
    return opening
  }

  const replace = async () => {
    for (let tries = 0; !closed && live.length + attempts.size < size; tries++) {
      const client = await attempt().catch(() => undefined)
      if (client) continue
      await pause(Math.min(LONGEST_PAUSE, 50 * 2 ** tries), undefined, { ref: false })
    }
  }

  const queryWhenOpen = async <Row>(statement: Statement): Promise<Row[]> => {
    if (closed) throw new DatabaseUnavailable('The database is closed.')
    const [opening = attempt()] = attempts
    const client = await opening.catch((error) => {
      throw translateError(error)
    })
    return runStatement(names, client, statement)
  }

  await Promise.all(Array.from({ length: size }, attempt))

  return {
    query: (statement) => {
      if (live.length === 0) return queryWhenOpen(statement)
      if (++next >= live.length) next = 0
      const pipeline = live[next] as Pipeline
      if (!pipeline.corked) cork(pipeline)
      return runStatement(names, pipeline.client, statement)
    },
    close: async () => {
      closed = true
      await Promise.all(live.splice(0).map(({ client }) => endClient(client)))
    },
  }
}
