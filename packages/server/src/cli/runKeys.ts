import { createECDH } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { findKeys, type Keys } from '../keys/loadKeys.ts'
import type { Arguments } from './readArguments.ts'

/** Shows the application id and the keys. Makes nothing: a mistyped folder must not become a second installation. */
export async function runKeys({
  words,
  flags,
  configFile,
}: Pick<Arguments, 'words' | 'flags' | 'configFile'>): Promise<void> {
  const [what] = words
  if (what === 'push') return void process.stdout.write(createPushKeys())
  const config = await readConfig({ flags, configFile })
  if (what === 'rotate' || what === 'retire') return changeKeys(config, what)
  if (what !== undefined)
    throw new ConfigError(`Unknown command "countersign keys ${what}". See countersign help keys.`)
  const keys = config.databaseUrl ? await keysOfDatabase(config) : await findKeys(config)
  if (!keys) throw new ConfigError(noKeys(config))
  const rows = [
    ['Application id', keys.appId],
    ['Master key', `${keys.masterKey}   (full access: never expose it to clients)`],
    [
      'JavaScript key',
      `${keys.javascriptKey}${config.javascriptKey ? '   (clients must send it)' : '   (optional for clients)'}`,
    ],
  ]
  process.stdout.write(`${rows.map(([name, value]) => `${name?.padEnd(15)} ${value}`).join('\n')}\n`)
}

/** Keys for Web Push, which the configuration holds: they belong to no installation. */
function createPushKeys(): string {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys('base64url')
  // A key that begins with zeros has fewer bytes.
  const privateKey = Buffer.alloc(32)
  const bytes = ecdh.getPrivateKey()
  bytes.copy(privateKey, 32 - bytes.length)
  return `publicKey   ${publicKey}\nprivateKey  ${privateKey.toString('base64url')}\n`
}

/** `countersign keys rotate` and `countersign keys retire`. */
async function changeKeys(config: Config, what: 'rotate' | 'retire'): Promise<void> {
  const isFile = config.databaseUrl === undefined
  // Looked at first: opening a folder makes a database in it.
  if (isFile && !(await findKeys(config))) throw new ConfigError(noKeys(config))
  const { retireKeys, rotateKeys } = await import('../console/rotateKeys.ts')
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const db = await openDatabase({ ...placeOf(config), patience: 0 })
  try {
    if (what === 'retire') {
      const { resealed, unreadable } = await retireKeys({ db, config, isFile, say })
      say(`The previous keys no longer work. Re-encrypted: ${resealed}. Could not be decrypted: ${unreadable}.`)
      return
    }
    const { resealed, unreadable, masterKey } = await rotateKeys({ db, config, isFile, say })
    say(`Re-encrypted: ${resealed}. Could not be decrypted: ${unreadable}.`)
    if (masterKey) say(`New master key  ${masterKey}`)
    else
      say(
        'The master key is set in the configuration. To change it, set COUNTERSIGN_MASTER_KEY to a new key and COUNTERSIGN_FORMER_MASTER_KEY to the previous one.',
      )
    say(
      'Previous keys still work. Update your programs to the new master key and restart the servers. Then run countersign keys retire to revoke the previous keys.',
    )
  } finally {
    await db.close()
  }
}

function noKeys({ databaseUrl, dataFolder }: Config): string {
  const where = databaseUrl ? 'in this database' : `in ${join(resolve(dataFolder), 'keys.json')}`
  return `No keys found ${where}. Run countersign start to create them. If the server has run before, set the location of its data: ${databaseUrl ? 'DATABASE_URL' : '--data FOLDER'}.`
}

async function keysOfDatabase(config: Config): Promise<Keys | undefined> {
  const db = await openDatabase({ ...placeOf(config), patience: 0 })
  try {
    return await findKeys(config, db)
  } finally {
    await db.close()
  }
}
