import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CountersignError, headers, type SchemaRecord, type WireFields, type WireValue } from '@countersign/protocol'
import { createClasses } from '../classes/createClasses.ts'
import { recordLayouts } from '../classes/partitions/Layout.ts'
import { type Applied, type ApplyOptions, applySchema } from '../classes/schema/applySchema.ts'
import { listSchemas } from '../classes/schema/schemas.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { portFile } from '../config/portFile.ts'
import type { Database } from '../db/Database.ts'
import { FolderInUse } from '../db/embedded/lockFolder.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { type Keys, loadKeyFile } from '../keys/loadKeys.ts'

/** The classes, wherever they can be reached from here. */
export type Schemas = {
  list(): Promise<SchemaRecord[]>
  apply(file: WireValue, options: ApplyOptions): Promise<Applied>
  close(): Promise<void>
}

/** In the database itself; through the server where that one holds the data folder, or where it is named. */
export async function openSchemas(config: Config, server: string | undefined): Promise<Schemas> {
  if (server !== undefined) return askServer(server.replace(/\/+$/, ''), await keysOf(config))
  try {
    return await openDirectly(config, await openDatabase(placeOf(config)))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return askServer(await findLocalServer(config), await keysOf(config))
  }
}

/** Address of the server that holds the data folder, by the port it noted there: its command line may have named one. */
async function findLocalServer({ dataFolder, databaseUrl, port, mount }: Config): Promise<string> {
  const noted = databaseUrl ? 0 : Number(await readFile(join(dataFolder, portFile), 'utf8').catch(() => ''))
  // Only the port: the master key must not leave this machine because of a file.
  return `http://localhost:${Number.isInteger(noted) && noted > 0 && noted < 65_536 ? noted : port}${mount}`
}

async function keysOf(config: Config): Promise<Pick<Keys, 'appId' | 'masterKey'>> {
  const { appId, masterKey, databaseUrl } = config
  if (appId !== undefined && masterKey !== undefined) return { appId, masterKey }
  if (!databaseUrl) return loadKeyFile(config)
  throw new ConfigError('--server needs the keys of that server: set COUNTERSIGN_APP_ID and COUNTERSIGN_MASTER_KEY.')
}

async function openDirectly(config: Config, db: Database): Promise<Schemas> {
  try {
    await migrate(db, migrations)
    await recordLayouts(db, config)
    const classes = await createClasses(db)
    return {
      list: () => listSchemas({ db, classes, config }),
      apply: (file, options) => applySchema({ db, config }, file, options),
      async close() {
        await classes.close()
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Asks a server with the master key: the one at the address, or the one of the configuration on this machine. */
export async function openRequests(config: Config, server: string | undefined): Promise<Requests> {
  const url = (server ?? (await findLocalServer(config))).replace(/\/+$/, '')
  return createRequests(url, await keysOf(config))
}

export type Requests = <Answer>(method: string, path: string, body?: WireFields) => Promise<Answer>

function createRequests(url: string, keys: Pick<Keys, 'appId' | 'masterKey'>): Requests {
  return async <Answer>(method: string, path: string, body?: WireFields): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        [headers.applicationId]: keys.appId,
        [headers.masterKey]: keys.masterKey,
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    }).catch((cause) => {
      throw new ConfigError(`No server is running at ${url}. Pass its URL: --server http://localhost:1337/server.`, {
        cause,
      })
    })
    const answer = (await response.json().catch(() => ({}))) as Answer & { code?: number; error?: string }
    if (response.ok) return answer
    if (answer.code !== undefined) throw new CountersignError(answer.code, answer.error ?? 'The server refused.')
    throw new ConfigError(
      `The server at ${url} refused (${response.status} ${answer.error ?? ''}). Check the application id, the master key and masterKeyIps.`,
    )
  }
}

function askServer(url: string, keys: Pick<Keys, 'appId' | 'masterKey'>): Schemas {
  const ask = createRequests(url, keys)
  return {
    list: async () => (await ask<{ results: SchemaRecord[] }>('GET', '/schemas')).results,
    apply: (classes, options) =>
      ask<Applied>('POST', '/applySchema', { classes, ...(options as { [name: string]: boolean }) }),
    async close() {},
  }
}
