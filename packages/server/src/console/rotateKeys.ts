import { setTimeout as pause } from 'node:timers/promises'
import { remarkAudit } from '../audit/chain.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { findKeptKeys, type KeptKeys, type Keys, keysChannel, makeKeys, writeKeyFile } from '../keys/loadKeys.ts'
import { decrypt, decryptWith, encrypt } from '../keys/secrets.ts'

/** Encrypted columns with their use and row id. A test compares them with the code. */
export const sealedColumns = [
  { use: 'session proof', table: '"_Session"', column: '"_proof"', id: '"objectId"' },
  { use: 'identity', table: 'countersign.identities', column: 'data', id: `jsonb_build_array(provider, id)::text` },
  {
    use: 'identity',
    table: 'countersign.unlinked_identities',
    column: 'data',
    id: `jsonb_build_array(provider, id, "user")::text`,
  },
  { use: 'merge undo', table: 'countersign.merges', column: 'undo', id: '"objectId"' },
  { use: 'undeployed proof', table: 'countersign.wallets', column: 'proof', id: 'key' },
  {
    use: 'undeployed proof',
    table: 'countersign.unlinked_wallets',
    column: 'proof',
    id: `jsonb_build_array(key, "user")::text`,
  },
  { use: 'request answer', table: 'countersign.requests', column: 'answer', id: `encode(id, 'hex')` },
  { use: 'totp', table: 'countersign.second_factors', column: 'secret', id: '"user"' },
  { use: 'setting', table: 'countersign.settings', column: 'value', id: 'name' },
  { use: 'oidc signing key', table: 'countersign.oidc_keys', column: 'key', id: 'kid' },
  {
    use: 'oidc record',
    table: 'countersign.oidc_records',
    column: 'content',
    id: `model || ' ' || encode(id, 'hex')`,
  },
  { use: 'webhook', table: 'countersign.webhooks', column: 'secret', id: '"objectId"' },
] as const

/** Secrets that are encrypted for minutes only, for sign-ins under way. They are gone before a key is revoked. */
export const passingUses = ['provider sign-in', 'sign-in ticket'] as const

const page = 500

/** Time (ms) for servers to notice a key: they poll every five seconds if a notification was lost. */
const hearing = 12_000

type Place = {
  db: Database
  config: Config
  /** True if the keys are in a file beside an embedded database, false if they are in the database. */
  isFile: boolean
  say?: (line: string) => void
  /** Time (ms) given to running servers to notice a key. */
  patience?: number
  /** Called with the stored keys, for a server whose keys are in an unwatched file. */
  onSaved?: (keys: KeptKeys) => void
}

export type Resealed = { resealed: number; unreadable: number }

/**
 * Makes a new secret, and a new master key unless the configuration names it, and encrypts everything again. The former
 * ones hold until they are retired. May be interrupted at any point: started again, it goes on.
 */
export async function rotateKeys(place: Place): Promise<Resealed & { masterKey?: string }> {
  const { db, config, isFile, say = () => {}, patience = hearing } = place
  const kept = await readKept(place)
  let present = kept
  if (kept.formerSecret === undefined) {
    const made = makeKeys()
    const nextSecret = kept.nextSecret ?? made.secret
    if (!isFile) {
      // First every server can read with the new secret, then the first one writes with it.
      await save(place, kept, { ...kept, nextSecret })
      say('Waiting for all servers to load the new secret.')
      await pause(patience)
    }
    const { nextSecret: _taken, ...rest } = kept
    present = {
      ...rest,
      secret: nextSecret,
      formerSecret: kept.secret,
      ...(config.masterKey === undefined && { masterKey: made.masterKey, formerMasterKey: kept.masterKey }),
    }
    await save(place, isFile ? kept : { ...kept, nextSecret }, present, 'key.rotate')
    if (!isFile) await pause(patience)
  } else say('Continuing the rotation that is in progress. To finish it, run countersign keys retire.')
  say('Encrypting the stored secrets again.')
  const counts = await resealAll(db, present)
  return { ...counts, ...(present.formerMasterKey !== undefined && { masterKey: present.masterKey }) }
}

/** Makes the former keys void. What is still encrypted with the former secret is encrypted again first. */
export async function retireKeys(place: Place): Promise<Resealed> {
  const kept = await readKept(place)
  if (kept.formerSecret === undefined) {
    throw new ConfigError('There are no previous keys to revoke. To create new keys, run countersign keys rotate.')
  }
  const counts = await resealAll(place.db, kept)
  const { formerSecret: _secret, formerMasterKey: _masterKey, ...rest } = kept
  await save(place, kept, rest, 'key.retire')
  return counts
}

async function readKept({ db, config, isFile }: Place): Promise<Keys> {
  const { appId, masterKey, javascriptKey, secret, ...passing } = await findKeptKeys(config, isFile ? undefined : db)
  if (!secret || !appId || !masterKey || !javascriptKey) {
    throw new ConfigError('No keys found. Run countersign start to create them.')
  }
  return { appId, masterKey, javascriptKey, secret, ...passing }
}

/**
 * Replaces the stored keys, in the database together with the audit entry. Two concurrent rotations would each create a
 * secret unknown to the other, so a rotation that finds other keys than it read is refused.
 */
async function save(
  { db, config, isFile, onSaved }: Place,
  read: Keys,
  keys: KeptKeys,
  action?: string,
): Promise<void> {
  const entries = Object.entries(keys).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const subject = keys.formerMasterKey === undefined && action === 'key.rotate' ? 'secret' : 'secret, masterKey'
  // The file first: a change that is noted and was not made would be worse than the other way round.
  if (isFile) await writeKeyFile(config, keys)
  await db.transaction(async () => {
    if (!isFile) {
      await db.query(sql`lock table countersign.keys in share row exclusive mode`)
      const found = await findKeptKeys(config, db)
      const isSame = (['secret', 'formerSecret', 'nextSecret'] as const).every((name) => found[name] === read[name])
      if (!isSame) throw new ConfigError('Another key rotation is in progress. Wait until it has finished.')
      await db.query(sql`delete from countersign.keys where name <> all (${entries.map(([name]) => name)}::text[])`)
      await db.query(sql`
        insert into countersign.keys (name, value)
        select * from unnest(${entries.map(([name]) => name)}::text[], ${entries.map(([, value]) => value)}::text[])
        on conflict (name) do update set value = excluded.value`)
      await db.query(sql`select pg_notify(${keysChannel}, '')`)
    }
    if (action) {
      await db.query(sql`
        insert into countersign.audit (at, actor, action, subject)
        values (now(), 'operator', ${action}, ${subject})`)
    }
  })
  onSaved?.(keys)
}

async function resealAll(db: Database, keys: Keys): Promise<Resealed> {
  const counts = { resealed: 0, unreadable: 0 }
  for (const sealed of sealedColumns) await resealColumn(db, keys, sealed, counts)
  await remarkAudit({ db, keys })
  return counts
}

/** Page by page, so that no table is locked for long; a row changed since was written by a server that has the key. */
async function resealColumn(
  db: Database,
  keys: Keys,
  { use, table, column, id }: (typeof sealedColumns)[number],
  counts: Resealed,
): Promise<void> {
  const [tableName, columnName, idText] = [sql.raw(table), sql.raw(column), sql.raw(id)]
  for (let after = ''; ; ) {
    const rows = await db.query<{ id: string; value: Buffer }>(sql`
      select ${idText} as id, ${columnName} as value from ${tableName}
      where ${columnName} is not null and ${idText} > ${after}
      order by ${idText}
      limit ${page}`)
    const changed = rows.flatMap(({ id: row, value }) => {
      if (decryptWith(keys.secret, use, value) !== undefined) return []
      const text = decrypt(keys, use, value)
      if (text === undefined) counts.unreadable++
      return text === undefined ? [] : [{ row, value, next: encrypt(keys, use, text) }]
    })
    if (changed.length > 0) {
      await db.transaction(async () => {
        await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
        const written = await db.query(sql`
          update ${tableName} set ${columnName} = resealed.new_content
          from unnest(
            ${changed.map(({ row }) => row)}::text[],
            ${changed.map(({ value }) => value)}::bytea[],
            ${changed.map(({ next }) => next)}::bytea[]) as resealed (row_id, old_content, new_content)
          where ${idText} = row_id and ${columnName} = old_content
          returning 1 as one`)
        counts.resealed += written.length
      })
    }
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    after = last.id
  }
}
