import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import { checkSetting, type EditableSetting, editableNames, isEditable, isFixed } from '../config/editableSettings.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import type { Keys } from '../keys/loadKeys.ts'
import { decrypt, encrypt } from '../keys/secrets.ts'

const channel = 'countersign_settings'
/** How often (ms) settings are read where a notification was lost. */
const readEvery = 30_000

/**
 * A setting as the console saved it, with the input before, for an undo. An absent input stands for the default. The
 * version differs after every save, also of the same input.
 */
export type StoredSetting = {
  input?: unknown
  previous?: { input?: unknown }
  version: string
  changedAt: Date
  changedBy: string
}

type Place = { db: Database; keys: Keys; log: Pick<Logger, 'warn'> }
type Row = { name: string; value: Buffer; changed: Date; by: string }

/** Settings of the console by name. All are encrypted, since some hold passwords. */
export async function readStored({ db, keys, log }: Place): Promise<Map<EditableSetting, StoredSetting>> {
  const rows = await db.query<Row>(sql`select name, value, changed, by from countersign.settings`)
  const stored = new Map<EditableSetting, StoredSetting>()
  for (const { name, value, changed, by } of rows) {
    // Another version may know more settings.
    if (!isEditable(name)) continue
    const text = decrypt(keys, 'setting', value)
    if (text === undefined) log.warn({ setting: name }, 'a setting of the console cannot be decrypted and is not used')
    else {
      // The ciphertext has a random part; a time could be the same for two saves.
      const version = createHash('sha256').update(value).digest('base64url').slice(0, 22)
      stored.set(name, { ...JSON.parse(text), version, changedAt: changed, changedBy: by })
    }
  }
  return stored
}

/** Gives a running server the settings of the console, except those that the file or the environment sets. */
export async function applyStored(place: Place & { config: Config }): Promise<void> {
  const { config, log } = place
  const stored = await readStored(place)
  for (const name of editableNames) {
    if (isFixed(config, name)) continue
    const found = stored.get(name)
    const given = checkSetting(name, found?.input)
    if (!given.success) log.warn({ setting: name, problems: given.problems }, 'a setting of the console is not valid')
    const usable = given.success ? given : checkSetting(name, undefined)
    if (!usable.success) continue
    if (found?.input !== undefined && given.success) config.sources[name] = 'database'
    else delete config.sources[name]
    // The same object while nothing changes: readers compare by identity.
    if (JSON.stringify(config[name]) !== JSON.stringify(usable.value)) Object.assign(config, { [name]: usable.value })
  }
}

type Change = {
  name: EditableSetting
  by: string
  choose: (present: StoredSetting | undefined) => Promise<unknown>
}

/** Stores what `choose` returns and tells all servers; `undefined` for the default. The input before is kept. */
export async function storeSetting(place: Place & { clock: Clock }, { name, by, choose }: Change): Promise<void> {
  const { db, keys, clock } = place
  await db.transaction(async () => {
    // Two changes at once: the second sees the first, so that an undo leads back to it.
    await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:settings'))`)
    const present = (await readStored(place)).get(name)
    const input = await choose(present)
    const kept = { input, previous: { input: present?.input } }
    const value = encrypt(keys, 'setting', JSON.stringify(kept))
    await db.query(sql`
      insert into countersign.settings (name, value, changed, by) values (${name}, ${value}, ${clock.now()}, ${by})
      on conflict (name) do update set value = excluded.value, changed = excluded.changed, by = excluded.by`)
    await db.query(sql`select pg_notify(${channel}, ${name})`)
  })
}

/** Applies the settings of the console whenever one changes, on any server of the database. */
export async function watchSettings(place: Place & { config: Config }): Promise<() => Promise<void>> {
  const { db, log } = place
  let reading: Promise<void> = Promise.resolve()
  const read = () => {
    reading = reading
      .then(() => applyStored(place))
      .catch((error) => log.warn({ err: error }, 'the settings of the console could not be read'))
  }
  const unlisten = await db.listen(channel, read, read)
  const timer = setInterval(read, readEvery)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await unlisten()
    await reading
  }
}
