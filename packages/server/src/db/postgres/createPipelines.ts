import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { DatabaseLogger } from '../Database.ts'
import { DatabaseUnavailable, translateError } from '../databaseErrors.ts'
import { runStatement, type StatementNames } from '../runStatement.ts'
import type { Statement } from '../Statement.ts'

type Parts = {
  connect: () => Promise<Client>
  names: StatementNames
  size?: number
  logger?: DatabaseLogger | undefined
  /** Milliseconds within which a living connection responds. */
  within?: number
  /** Called when the other side of a connection no longer responds, though the connection did not end. */
  onSilent?: (client: Client) => void
}

export type Pipelines = {
  query<Row>(statement: Statement): Promise<Row[]>
  close(): Promise<void>
}

const LONGEST_PAUSE = 500

// The question waits behind the statements in flight, so it is given longer than any of them should take.
const WATCH = { every: 5_000, within: 30_000 }

type Pipeline = { client: Client; corked: boolean }

/** Joins statements of one event-loop turn into one write. */
function cork(pipeline: Pipeline) {
  const { stream } = pipeline.client.connection
  pipeline.corked = true
  stream.cork()
  setImmediate(() => {
    pipeline.corked = false
    stream.uncork()
  })
}

/** A few connections with many statements in flight each: for cheap statements. */
export async function createPipelines({
  connect,
  names,
  size = 2,
  logger,
  within = WATCH.within,
  onSilent,
}: Parts): Promise<Pipelines> {
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
      every: WATCH.every,
      within,
      onSilent: () => onSilent?.(client),
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

type Watch = {
  /** Milliseconds between two questions. */
  every: number
  /** Time (ms) within which a living connection responds. */
  within: number
  /** Called once, as soon as the connection is known to be lost. */
  onLost: () => void
  /** Called first if the connection did not end, but no longer responds. */
  onSilent?: () => void
}

/**
 * Detects a lost connection: immediately if the server or the network reports it, else by polling. A peer that vanished
 * silently would otherwise be waited for until TCP gives up, a quarter of an hour.
 */
export function watchConnection(client: Client, { every, within, onLost, onSilent }: Watch): void {
  let lost = false

  const lose = () => {
    if (lost) return
    lost = true
    onLost()
  }

  const ask = async () => {
    for (;;) {
      await pause(every, undefined, { ref: false })
      if (lost) return
      const answered = client.query('select 1').then(
        () => true,
        () => false,
      )
      if (await Promise.race([answered, pause(within, false, { ref: false })])) continue
      onSilent?.()
      lose()
      // A dead peer does not respond to a goodbye either.
      client.connection.stream.destroy()
      return
    }
  }

  client.once('error', lose)
  client.once('end', lose)
  // The server ends a connection with this; it would still take statements for a moment.
  client.connection.on('errorMessage', (message: { severity?: string }) => {
    if (message.severity === 'FATAL' || message.severity === 'PANIC') lose()
  })
  void ask()
}

const GOODBYE_WITHIN = 5_000

/** Ends a connection after the statements in flight; one that does not respond is cut. */
export async function endClient(client: Client): Promise<void> {
  const given = new AbortController()
  const late = pause(GOODBYE_WITHIN, true, { signal: given.signal }).catch(() => false)
  if (await Promise.race([client.end().then(() => false), late])) client.connection.stream.destroy()
  given.abort()
}
