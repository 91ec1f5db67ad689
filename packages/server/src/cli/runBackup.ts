import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { decrypt, encrypt } from '../backup/encryption.ts'
import { clearFolder, isUsedFolder, type Restored, restoreBackup } from '../backup/restoreBackup.ts'
import { askForBackup, writeToFile } from '../backup/startBackups.ts'
import { withSnapshot, writeBackup } from '../backup/writeBackup.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import type { Database } from '../db/Database.ts'
import { FolderInUse } from '../db/embedded/lockFolder.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { findKeys, type Keys } from '../keys/loadKeys.ts'
import type { Arguments, Options } from './readArguments.ts'

const hour = 3_600_000
const patience = 6 * hour

/** `countersign backup [FILE]`, once or every so many hours. */
export async function runBackup({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [file, ...more] = words
  if (more.length > 0) throw new ConfigError('countersign backup takes one file. See countersign backup --help.')
  const config = await readConfig({ flags, configFile })
  const passphrase = await readPassphrase(options)
  const every = options.every === undefined ? undefined : Number(options.every)
  const keep = options.keep === undefined ? 7 : Number(options.keep)
  if (every === undefined) {
    const path = resolve(file ?? nameOf(new Date()))
    await backUp(config, path, passphrase, options.holdWrites)
    return
  }
  if (!(every > 0) || !Number.isInteger(keep) || keep < 1) {
    throw new ConfigError('--every must be a number of hours, such as 24, and --keep a number of backups, at least 1.')
  }
  const folder = resolve(file ?? 'backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const made: string[] = []
  for (;;) {
    const path = resolve(folder, nameOf(new Date()))
    await backUp(config, path, passphrase, options.holdWrites)
    made.push(path)
    while (made.length > keep) await rm(made.shift() ?? '', { force: true })
    await pause(every * hour)
  }
}

function nameOf(now: Date): string {
  return `countersign-${now.toISOString().replaceAll(/[:.]/g, '-')}.backup`
}

async function backUp(config: Config, path: string, passphrase: string | undefined, holdWrites = false): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found) throw new ConfigError(`${path} already exists. Choose another name.`)
  const db = await openDatabase(placeOf(config)).catch((error) => {
    if (!(error instanceof FolderInUse)) throw error
    return undefined
  })
  if (db) {
    try {
      await migrate(db, migrations)
      const keys = await getKeys(config, db)
      await withSnapshot(db, holdWrites, (snapshot) =>
        writeToFile(path, writeBackup({ db, config, keys, passphrase, snapshot })),
      )
    } finally {
      await db.close()
    }
  } else {
    const made = await askForBackup(config.dataFolder, patience, holdWrites)
    const bytes = createReadStream(made) as AsyncIterable<Buffer>
    await writeToFile(path, passphrase === undefined ? bytes : encrypt(bytes, passphrase)).finally(() => rm(made))
  }
  const { size } = await stat(path)
  process.stdout.write(
    `${path}: ${(size / 1e6).toFixed(1)} MB${passphrase === undefined ? ', not encrypted: it contains keys and password hashes' : ', encrypted'}.\n`,
  )
}

async function getKeys(config: Config, db: Database): Promise<Keys> {
  const keys = await findKeys(config, config.databaseUrl ? db : undefined)
  if (!keys)
    throw new ConfigError(
      'Nothing to back up: no keys found, so the server has never run here. Check DATABASE_URL or --data FOLDER.',
    )
  return keys
}

async function readPassphrase({ passphraseFile }: Options): Promise<string | undefined> {
  // Not as an argument: those of a process are seen by every user of the machine.
  const text =
    passphraseFile === undefined ? process.env.COUNTERSIGN_BACKUP_PASSPHRASE : await readFile(passphraseFile, 'utf8')
  const passphrase = text?.replace(/\r?\n$/, '')
  if (passphrase === '') {
    const place = passphraseFile ?? 'COUNTERSIGN_BACKUP_PASSPHRASE'
    throw new ConfigError(
      `${place} is empty, so the backup would not be encrypted. Set a passphrase, or remove the option to back up without encryption.`,
    )
  }
  return passphrase
}

/** `countersign restore FILE`, into an empty database or data folder. */
export async function runRestore({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [file, ...more] = words
  if (file === undefined || more.length > 0)
    throw new ConfigError('Pass the backup to restore: countersign restore FILE.')
  const config = await readConfig({ flags, configFile })
  const passphrase = await readPassphrase(options)
  await stat(file).catch(() => {
    throw new ConfigError(`File not found: ${resolve(file)}.`)
  })
  const bytes = createReadStream(file) as AsyncIterable<Buffer>
  const restored = await restoreInto(config, bytes, passphrase)
  process.stdout.write(describe(restored))
  const place = config.databaseUrl ? 'this database' : resolve(config.dataFolder)
  process.stdout.write(
    `The keys were restored. The settings of the backup are in ${resolve(config.dataFolder, 'restored-settings.json')}, to compare with yours.\nStart the server on ${place}: countersign start\n`,
  )
}

async function restoreInto(
  config: Config,
  bytes: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): Promise<Restored> {
  const isEmbedded = config.databaseUrl === undefined
  if (isEmbedded && isUsedFolder(config.dataFolder)) {
    throw new ConfigError(
      `${resolve(config.dataFolder)} is not empty. Restore the backup into a new folder (--data FOLDER) or a new PostgreSQL database (DATABASE_URL).`,
    )
  }
  const db = await openDatabase({ ...placeOf(config), bare: true })
  try {
    const restored = await restoreBackup({ db, config, bytes, passphrase })
    await db.close()
    return restored
  } catch (error) {
    await db.close()
    if (isEmbedded) await clearFolder(config.dataFolder)
    throw error
  }
}

function describe({ created, version, tables, rows, files, missing }: Restored): string {
  const lost = missing.length > 0 ? ` ${missing.length} files were deleted while the backup was made.` : ''
  return `Restored the backup of ${created} (version ${version}): ${rows} rows in ${tables} tables, ${files} files. Counts and checksums match.${lost}\n`
}

/** `countersign move --to postgresql://…`: takes an embedded installation to PostgreSQL. */
export async function runMove({ words, flags, configFile, options }: Arguments): Promise<void> {
  const { to } = options
  if (words.length > 0 || to === undefined || !/^postgres(ql)?:\/\//.test(to)) {
    throw new ConfigError(
      'Pass the target database: countersign move --to postgresql://user:password@host:5432/database',
    )
  }
  const { databaseUrl: _, ...config } = await readConfig({ flags, configFile })
  if (!isUsedFolder(config.dataFolder))
    throw new ConfigError(
      `No installation found in ${resolve(config.dataFolder)}. Pass its data folder: --data FOLDER.`,
    )
  // While a server has it open this is refused: what it wrote afterwards would be missing.
  const db = await openDatabase({ dataFolder: config.dataFolder })
  try {
    await migrate(db, migrations)
    const keys = await getKeys(config, db)
    const target: Config = { ...config, databaseUrl: to }
    const moved = await restoreInto(target, decrypt(writeBackup({ db, config, keys }), undefined), undefined)
    process.stdout.write(describe(moved))
    process.stdout.write(
      [
        '',
        'Set DATABASE_URL to this database and start the server.',
        config.files.store === undefined
          ? 'Files are now stored in the database. To store them elsewhere, set files.store.'
          : `Files stay in the store ${config.files.store}.`,
        'The keys are in the database too, so COUNTERSIGN_APP_ID and the other keys need not be set.',
        `The data folder ${resolve(config.dataFolder)} was not changed. Delete it when the new server works.`,
        '',
      ].join('\n'),
    )
  } finally {
    await db.close()
  }
}
