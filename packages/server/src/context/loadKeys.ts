import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Database } from '../db/Database.ts'

/** The application's id and keys. */
export type Keys = {
  appId: string
  masterKey: string
  /** Clients may send it; they must where the operator set it. */
  javascriptKey: string
  /** Encrypts what is kept but must not be read from a stolen database. Never shown. */
  secret: string
}

const names = ['appId', 'masterKey', 'javascriptKey', 'secret'] as const

/** Keys as configured; those that are not are made at the first start and kept in the database. */
export async function loadKeys(config: Config, db: Database): Promise<Keys> {
  // All servers that start together on one database end with the same keys: the first to write wins.
  const made = makeKeys()
  await db.query({
    text: `insert into countersign.keys (name, value) select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing`,
    values: [[...names], names.map((name) => made[name])],
  })
  const rows = await db.query<{ name: string; value: string }>({ text: 'select name, value from countersign.keys' })
  const kept = new Map(rows.map((row) => [row.name, row.value]))
  return configured(config, (name) => kept.get(name) ?? made[name])
}

/** The same for the embedded database, whose keys lie in a file beside it, so that a second process can read them. */
export async function loadKeyFile(config: Config): Promise<Keys> {
  const path = keyFilePath(config)
  const kept = await readKeyFile(path)
  const made = makeKeys()
  const all = { ...made, ...kept }
  if (names.some((name) => kept[name] === undefined)) {
    await mkdir(config.dataFolder, { recursive: true })
    // Written aside and renamed: a crash in between leaves the old file or the new one, never half of it.
    await writeFile(`${path}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return configured(config, (name) => all[name])
}

function keyFilePath(config: Config): string {
  return join(config.dataFolder, 'keys.json')
}

async function readKeyFile(path: string): Promise<Partial<Keys>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(`${path} is not JSON. Restore it from a backup, or delete it to have new keys made.`, {
      cause,
    })
  }
}

function configured(config: Config, kept: (name: (typeof names)[number]) => string): Keys {
  return {
    appId: config.appId ?? kept('appId'),
    masterKey: config.masterKey ?? kept('masterKey'),
    javascriptKey: config.javascriptKey ?? kept('javascriptKey'),
    secret: kept('secret'),
  }
}

function makeKeys(): Keys {
  return {
    appId: randomBytes(12).toString('hex'),
    masterKey: randomBytes(24).toString('base64url'),
    javascriptKey: randomBytes(18).toString('base64url'),
    secret: randomBytes(32).toString('base64url'),
  }
}
