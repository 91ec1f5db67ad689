import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { DatabaseLogger } from '../DatabaseLogger.ts'
import { DatabaseUnavailable, isUnavailable } from '../databaseErrors.ts'

type Parts = { config: ClientConfig; patience: number; logger?: DatabaseLogger | undefined }

const MINIMUM_VERSION = 14
const REPORT_EVERY = 5_000

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Waits for a server that is still starting; what waiting cannot mend fails at once. */
export const waitForServer = async ({ config, patience, logger }: Parts): Promise<void> => {
  const until = Date.now() + patience
  let reportAt = 0
  for (;;) {
    const client = createClient(config)
    client.on('error', () => {})
    const target = `PostgreSQL at ${client.host}:${client.port}, database "${client.database}"`
    try {
      await client.connect()
      const unfit = await findUnfit(client)
      if (!unfit) return
      throw new Error(unfit)
    } catch (error) {
      const reason = reasonOf(error)
      // Made anew, without its cause: the driver's error could lead to the password.
      if (!isUnavailable(error)) throw new Error(`${target}: ${reason}`)
      if (Date.now() >= until) {
        throw new DatabaseUnavailable(
          `${target} could not be reached within ${Math.round(patience / 1000)} s: ${reason}. ` +
            'Start it, or mend DATABASE_URL.',
        )
      }
      if (Date.now() >= reportAt) {
        reportAt = Date.now() + REPORT_EVERY
        logger?.warn({ reason }, `Waiting for ${target}`)
      }
    } finally {
      await client.end().catch(() => {})
    }
    await pause(Math.min(500, Math.max(0, until - Date.now())))
  }
}

const createClient = (config: ClientConfig): Client => {
  try {
    if (!/^postgres(ql)?:\/\//.test(config.connectionString ?? '')) throw new Error('not a PostgreSQL address')
    return new Client(config)
  } catch {
    // The cause is left out: it may quote the address, and with it the password.
    throw new Error('DATABASE_URL is not an address of the form postgres://user:password@host:port/database.')
  }
}

const findUnfit = async (client: Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
  )
  const { version = '', encoding } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < MINIMUM_VERSION) return `is version ${version}; ${MINIMUM_VERSION} is the oldest.`
  if (encoding !== 'UTF8') return `is encoded in ${encoding}; create it with the encoding UTF8.`
}
