import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'

/** The application's id and keys. */
export type Keys = {
  appId: string
  masterKey: string
  /** Clients may send it; they must where the operator set it. */
  javascriptKey: string
  /** Encrypts what is kept but must not be read from a stolen database. Never shown. */
  secret: string
  /** While keys are rotated: those before, which still hold, and the secret that will be next, to read with alone. */
  formerSecret?: string
  formerMasterKey?: string
  nextSecret?: string
}

const names = ['appId', 'masterKey', 'javascriptKey', 'secret'] as const
const passingNames = ['formerSecret', 'formerMasterKey', 'nextSecret'] as const

type MadeKeys = Pick<Keys, (typeof names)[number]>
/** Keys by name, as they are kept. */
export type KeptKeys = Partial<Keys>

/** Keys as configured; those that are not are made at the first start and kept in the database. */
export async function loadKeys(config: Config, db: Database): Promise<Keys> {
  // All servers that start together on one database end with the same keys: the first to write wins.
  const made = makeKeys()
  await db.query(sql`
    insert into countersign.keys (name, value)
    select * from unnest(${[...names]}::text[], ${names.map((name) => made[name])}::text[])
    on conflict (name) do nothing`)
  return configured(config, { ...made, ...(await readKeysOf(db)) })
}

/** The same for the embedded database, whose keys are in a file beside it, so that a second process can read them. */
export async function loadKeyFile(config: Config): Promise<Keys> {
  const path = keyFilePath(config)
  const kept = await readKeyFile(path)
  const made = makeKeys()
  const all = { ...made, ...kept }
  if (names.some((name) => kept[name] === undefined)) {
    await mkdir(config.dataFolder, { recursive: true })
    await writeKeyFile(config, all)
  }
  return configured(config, all)
}

/** Written aside, brought to the disk and renamed: a crash in between leaves the old file or the new one, never half of it. */
export async function writeKeyFile(config: Config, keys: KeptKeys): Promise<void> {
  const path = keyFilePath(config)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(keys, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** The keys that there are, without making any: for commands that only look. */
export async function findKeys(config: Config, db?: Database): Promise<Keys | undefined> {
  const kept = await findKeptKeys(config, db)
  const missing = names.some((name) => name !== 'secret' && (config[name] ?? kept[name]) === undefined)
  const none = { appId: '', masterKey: '', javascriptKey: '', secret: '' }
  return missing ? undefined : configured(config, { ...none, ...kept })
}

/** Stored keys, from the database or the file, ignoring the configuration. */
export async function findKeptKeys(config: Config, db?: Database): Promise<KeptKeys> {
  return db ? readKeysOf(db) : readKeyFile(keyFilePath(config))
}

async function readKeysOf(db: Database): Promise<KeptKeys> {
  const [there] = await db.query<{ keys: string | null }>(sql`select to_regclass('countersign.keys') as keys`)
  if (!there?.keys) return {}
  const rows = await db.query<{ name: string; value: string }>(sql`select name, value from countersign.keys`)
  return Object.fromEntries(rows.map((row) => [row.name, row.value]))
}

/**
 * Follows the keys in the database, so that a rotation reaches a server that runs: at once, and within five seconds
 * where the notification was lost.
 */
export async function watchKeys(place: KeyPlace & { db: Database; log: Logger }): Promise<() => Promise<void>> {
  const { db, log } = place
  let reading: Promise<void> = Promise.resolve()
  const read = () => {
    reading = reading
      .then(async () => {
        const kept = await readKeysOf(db)
        if (kept.secret) takeKeys(place, kept)
      })
      .catch((error) => log.warn({ err: error }, 'the keys could not be reloaded'))
  }
  const unlisten = await db.listen(keysChannel, read, read)
  const timer = setInterval(read, 5_000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await unlisten()
    await reading
  }
}

type KeyPlace = { config: Config; keys: Keys; keyWatchers: ReadonlySet<() => void> }

/** Gives a running server these keys, and judges again what the keys before have opened. */
export function takeKeys({ config, keys, keyWatchers }: KeyPlace, kept: KeptKeys): void {
  const before = { ...keys }
  for (const name of passingNames) delete keys[name]
  Object.assign(keys, configured(config, { ...keys, ...kept }))
  const isSame = [...names, ...passingNames].every((name) => before[name] === keys[name])
  if (!isSame) for (const watcher of keyWatchers) watcher()
}

export const keysChannel = 'countersign_keys'

function keyFilePath(config: Config): string {
  return join(config.dataFolder, 'keys.json')
}

async function readKeyFile(path: string): Promise<KeptKeys> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(
      `${path} is not valid JSON. Restore it from a backup, or delete it and restart to create new keys.`,
      {
        cause,
      },
    )
  }
}

function configured(config: Config, kept: Keys): Keys {
  // A master key of the configuration has its former one there, too.
  const { formerMasterKey } = config.masterKey === undefined ? kept : config
  return {
    appId: config.appId ?? kept.appId,
    masterKey: config.masterKey ?? kept.masterKey,
    javascriptKey: config.javascriptKey ?? kept.javascriptKey,
    secret: kept.secret,
    ...(kept.formerSecret !== undefined && { formerSecret: kept.formerSecret }),
    ...(kept.nextSecret !== undefined && { nextSecret: kept.nextSecret }),
    ...(formerMasterKey !== undefined && { formerMasterKey }),
  }
}

export function makeKeys(): MadeKeys {
  return {
    appId: randomBytes(12).toString('hex'),
    masterKey: randomBytes(24).toString('base64url'),
    javascriptKey: randomBytes(18).toString('base64url'),
    secret: randomBytes(32).toString('base64url'),
  }
}
