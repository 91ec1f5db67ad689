import { setImmediate as breathe } from 'node:timers/promises'
import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import { type StoredAcl, walletReaders } from '../../classes/acl.ts'
import type { ClassSchema, FieldTypeName } from '../../classes/ClassSchema.ts'
import { columns } from '../../classes/columns.ts'
import { linkedOn } from '../../classes/olderClasses.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type CopyWriter, createCopyWriter } from '../../db/createCopyWriter.ts'
import type { Database } from '../../db/Database.ts'
import { isRefusedValue } from '../../db/databaseErrors.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { hasSaveHooks } from '../../hooks/runHooks.ts'
import { insertRow } from '../../objects/createObject.ts'
import { type ObjectInput, readObject } from '../../objects/readObject.ts'
import { saveWithHooks } from '../../objects/saveWithHooks.ts'
import type { RpcLog } from '../index/Transfer.ts'
import { timeOf } from '../index/writeTransfers.ts'
import { readRow, type Sync } from './compileSync.ts'

/** A log that is to become an object. */
export type EventRow = {
  sync: Sync
  block: number
  blockHash: string
  transaction: string
  transactionIndex: number
  logIndex: number
  contract: string
  values: WireValue[]
}

/** The server itself: nobody's request. */
export const server: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }

/** Logs after which others get their turn. */
const atOnce = 500

const hash = /^0x[0-9a-f]{64}$/

const address = /^0x[0-9a-f]{40}$/

/**
 * Converts logs to rows, in their order. `isOwn` says if a contract belongs to a sync's factory; many logs are read in
 * parts, since requests wait for it.
 */
export async function readEvents(
  syncs: readonly Sync[],
  logs: readonly RpcLog[],
  isOwn: (sync: Sync, contract: string, block: number) => boolean,
): Promise<EventRow[]> {
  const byTopic = new Map<string, Sync[]>()
  for (const sync of syncs) byTopic.set(sync.topic, [...(byTopic.get(sync.topic) ?? []), sync])
  const rows: EventRow[] = []
  for (let index = 0; index < logs.length; index++) {
    if (index % atOnce === atOnce - 1) await breathe()
    const log = logs[index] as RpcLog
    const candidates = byTopic.get(log.topics[0]?.toLowerCase() ?? '')
    if (!candidates) continue
    const place = placeOf(log)
    if (!place) continue
    for (const sync of candidates) {
      const isFrom = sync.contracts ? sync.contracts.has(place.contract) : isOwn(sync, place.contract, place.block)
      const values = isFrom ? readRow(sync, log) : undefined
      if (!values) continue
      const { block, blockHash, transaction, transactionIndex, logIndex, contract } = place
      rows.push({ sync, block, blockHash, transaction, transactionIndex, logIndex, contract, values })
    }
  }
  return rows.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

export function placeOf(log: RpcLog): Omit<EventRow, 'sync' | 'values'> | undefined {
  const [contract, blockHash] = [log.address.toLowerCase(), log.blockHash.toLowerCase()]
  const transaction = log.transactionHash.toLowerCase()
  if (!address.test(contract) || !hash.test(blockHash) || !hash.test(transaction)) return undefined
  const block = Number(log.blockNumber)
  const transactionIndex = Number(log.transactionIndex)
  const logIndex = Number(log.logIndex)
  if (!Number.isSafeInteger(block + transactionIndex + logIndex)) return undefined
  return { contract, blockHash, transaction, block, transactionIndex, logIndex }
}

/** The same for the same log, however often it is read: nothing is ever kept twice. */
function eventId({ sync, block, blockHash, logIndex }: EventRow): string {
  const place = block.toString(36).padStart(7, '0')
  return `${sync.chain.toString(36)}-${place}-${blockHash.slice(2, 18)}-${logIndex.toString(36)}-${sync.key}`
}

/** Rows of this sync, and none that somebody else put into the class. */
export function rowsOf({ key, names, chain }: Sync): Fragment {
  return sql`${sql.id(names.chain)} = ${chain} and right("objectId", 9) = ${`-${key}`}`
}

type Writing = {
  /** Seconds, by block. */
  times: ReadonlyMap<number, number>
  /** Blocks up to this one cannot be undone. */
  final: number
  /** Set if no row can exist yet. Halves the database's time, and fails on an existing row. */
  allNew?: boolean
}

/**
 * Stores rows, in the open transaction; existing ones stay unchanged. If the class has hooks, each row passes them;
 * otherwise there is one statement per sync.
 */
export async function writeEvents(context: Context, rows: readonly EventRow[], writing: Writing): Promise<void> {
  const bySync = new Map<Sync, EventRow[]>()
  const hooked: EventRow[] = []
  const isHooked = new Map<Sync, boolean>()
  for (const row of rows) {
    const { sync } = row
    if (!isHooked.has(sync)) isHooked.set(sync, hasSaveHooks(context, sync.className))
    const own = bySync.get(sync)
    if (isHooked.get(sync)) hooked.push(row)
    else if (own) own.push(row)
    else bySync.set(sync, [row])
  }
  const lists = await readOwners(context.db, rows)
  const isCopied = writing.allNew && context.db.kind === 'postgres'
  // Before any hook is called: one that is there already has all of this written again.
  for (const [sync, own] of bySync) {
    const write = isIndexedFurther(context, sync) ? insertFitting : isCopied ? copyRows : insertRows
    await write(context, sync, own, writing, lists)
  }
  await saveRows(context, hooked, writing, lists)
}

/** Lock for writers that compute access lists at the same time. */
const accessLock = sql`hashtext('countersign sync access')`

type Owners = ReadonlyMap<string, readonly string[]>

/** The users of the wallets that rows name, by address. */
async function readOwners(db: Database, rows: readonly EventRow[]): Promise<Owners> {
  const ruled = rows.filter(({ sync }) => !sync.isPublic && sync.owners.length > 0)
  const chain = ruled[0]?.sync.chain
  if (chain === undefined) return new Map()
  // A wallet that is linked now is seen here, or its owner is added once this is committed.
  await db.query(sql`select pg_advisory_xact_lock_shared(${accessLock})`)
  const addresses = new Set(ruled.flatMap((row) => ownerValues(row)))
  const users = await db.query<{ address: string; user: string }>(sql`
    select address, "user" from countersign.wallets
    where ${linkedOn(chain)} and address = any(${[...addresses]})`)
  const owners = new Map<string, string[]>()
  for (const { address, user } of users) owners.set(address, [...(owners.get(address) ?? []), user])
  return owners
}

function ownerValues({ sync, values }: EventRow): string[] {
  return sync.fields.filter(({ name }) => sync.owners.includes(name)).map(({ place }) => String(values[place]))
}

/** Undefined where everyone may read the row. */
function accessOfRow(row: EventRow, owners: Owners): StoredAcl | undefined {
  if (row.sync.isPublic) return undefined
  const readers = new Set(ownerValues(row).flatMap((address) => owners.get(address) ?? []))
  return { _rperm: [walletReaders, ...[...readers].sort()], _wperm: [] }
}

const arrayTypes: { [Type in FieldTypeName]?: Fragment } = {
  String: sql`text`,
  Number: sql`double precision`,
  Boolean: sql`boolean`,
  Date: sql`timestamptz`,
  Object: sql`jsonb`,
  Array: sql`jsonb`,
}

async function insertRows(
  { db }: Context,
  sync: Sync,
  rows: readonly EventRow[],
  { times, final }: Writing,
  owners: Owners,
): Promise<void> {
  const { names, fields, className } = sync
  // Values that are hex digits and numbers alone need no quotes; the driver's own way looks at each letter.
  const plain = (pick: (row: EventRow) => string | number | boolean) => `{${rows.map(pick).join(',')}}`
  const lists: [string, Fragment][] = [
    ['objectId', sql`${plain(eventId)}::text[]`],
    [names.contract, sql`${plain(({ contract }) => contract)}::text[]`],
    [names.block, sql`${plain(({ block }) => block)}::double precision[]`],
    [names.blockHash, sql`${plain(({ blockHash }) => blockHash)}::text[]`],
    [names.transaction, sql`${plain(({ transaction }) => transaction)}::text[]`],
    [names.transactionIndex, sql`${plain(({ transactionIndex }) => transactionIndex)}::double precision[]`],
    [names.logIndex, sql`${plain(({ logIndex }) => logIndex)}::double precision[]`],
    [names.confirmed, sql`${plain(({ block }) => block <= final)}::boolean[]`],
    ...fields.map(({ name, type, place, convert }): [string, Fragment] => {
      const list = rows.map(({ values }) => {
        const value = values[place] as WireValue
        return columns[type.type].encode(convert ? convert(value) : value)
      })
      return [name, sql`${list}::${arrayTypes[type.type] as Fragment}[]`]
    }),
  ]
  const readers = () => rows.map((row) => JSON.stringify(accessOfRow(row, owners)?._rperm ?? []))
  const access = sync.isPublic
    ? { names: sql``, values: sql``, given: sql``, list: sql`` }
    : {
        names: sql`, "_rperm", "_wperm"`,
        values: sql`, array(select jsonb_array_elements_text(_readers)), '{}'::text[]`,
        given: sql`, _readers`,
        list: sql`, ${readers()}::jsonb[]`,
      }
  const given = sql.join(lists.map(([name]) => sql.id(name)))
  const seconds = `{${rows.map(({ block }) => timeOf(times, block)).join(',')}}`
  await db.query(sql`
    insert into ${sql.table(className)}
      ("createdAt", "updatedAt", ${sql.id(names.blockTime)}, ${sql.id(names.chain)}, ${given}${access.names})
    select _time, _time, _time, ${sync.chain}, ${given}${access.values} from (
      select to_timestamp(_seconds) as _time, ${given}${access.given}
      from unnest(${sql.join(lists.map(([, list]) => list))}, ${seconds}::bigint[]${access.list})
        as given (${given}, _seconds${access.given})
    ) rows
    on conflict ("objectId") do nothing`)
  db.reportChange(className)
}

/** Returns true if the operator added an index to the class. */
function isIndexedFurther({ classes }: Context, { className, names, owners }: Sync): boolean {
  const own = new Set([`${names.block}_place`, ...owners.map((owner) => `${owner}_owner`)])
  return [...(classes.find(className)?.indexes.keys() ?? [])].some((name) => !own.has(name))
}

/**
 * The same if an index may reject a row, such as a long text or a duplicate. A stranger chooses the event's content: a
 * rejected one is left out, and delays neither the others nor the chain.
 */
async function insertFitting(
  context: Context,
  sync: Sync,
  rows: readonly EventRow[],
  writing: Writing,
  owners: Owners,
): Promise<void> {
  try {
    await context.db.nest(() => insertRows(context, sync, rows, writing, owners))
  } catch (error) {
    if (!isRefusedValue(error)) throw error
    const [first] = rows
    if (rows.length === 1 && first) return reportLeftOut(context, first, error)
    const half = Math.ceil(rows.length / 2)
    for (const part of [rows.slice(0, half), rows.slice(half)])
      await insertFitting(context, sync, part, writing, owners)
  }
}

async function reportLeftOut({ db, log }: Context, row: EventRow, error: unknown): Promise<void> {
  const { className, id } = row.sync
  const reason = (error as Error).message
  log.warn({ className, objectId: eventId(row), reason }, 'event skipped: an index of its class rejects it')
  await db.query(sql`update countersign.chain_syncs set left_out = left_out + 1 where id = ${id}`)
}

const copiers: { [Type in FieldTypeName]?: (copy: CopyWriter, value: unknown) => void } = {
  String: (copy, value) => copy.text(String(value)),
  Number: (copy, value) => copy.number(Number(value)),
  Boolean: (copy, value) => copy.boolean(value === true),
  Date: (copy, value) => copy.time((value as Date).getTime()),
  Object: (copy, value) => copy.json(String(value)),
  Array: (copy, value) => copy.json(String(value)),
}

/** Bytes that a row takes, roughly. */
const roughRow = 640

/** The same rows as `insertRows` keeps, where none is there yet. */
async function copyRows(
  { db }: Context,
  sync: Sync,
  rows: readonly EventRow[],
  { times, final }: Writing,
  owners: Owners,
): Promise<void> {
  const { names, isPublic, className, chain } = sync
  const fields = sync.fields.map(({ name, type, place, convert }) => ({
    name,
    place,
    write(copy: CopyWriter, value: WireValue) {
      const stored = columns[type.type].encode(convert ? convert(value) : value)
      copiers[type.type]?.(copy, stored)
    },
  }))
  const given = [
    'objectId',
    'createdAt',
    'updatedAt',
    names.blockTime,
    names.chain,
    names.contract,
    names.block,
    names.blockHash,
    names.transaction,
    names.transactionIndex,
    names.logIndex,
    names.confirmed,
    ...fields.map(({ name }) => name),
    ...(isPublic ? [] : ['_rperm', '_wperm']),
  ]
  const copy = createCopyWriter(given.length, rows.length * roughRow)
  for (const row of rows) {
    const { block, contract, blockHash, transaction, transactionIndex, logIndex, values } = row
    const time = timeOf(times, block) * 1_000
    copy.row()
    copy.text(eventId(row))
    copy.time(time)
    copy.time(time)
    copy.time(time)
    copy.number(chain)
    copy.text(contract)
    copy.number(block)
    copy.text(blockHash)
    copy.text(transaction)
    copy.number(transactionIndex)
    copy.number(logIndex)
    copy.boolean(block <= final)
    for (const { write, place } of fields) write(copy, values[place] as WireValue)
    if (isPublic) continue
    copy.texts(accessOfRow(row, owners)?._rperm ?? [])
    copy.texts([])
  }
  const statement = sql.with({ copy: copy.end() })
  const list = sql.join(given.map((name) => sql.id(name)))
  await db.query(statement`copy ${sql.table(className)} (${list}) from stdin (format binary)`)
  db.reportChange(className)
}

/** One by one, through the application's hooks: they may change a row, and a throw leaves it out. */
async function saveRows(
  context: Context,
  rows: readonly EventRow[],
  { times, final }: Writing,
  owners: Owners,
): Promise<void> {
  if (rows.length === 0) return
  const { db, classes, log } = context
  const kept = await listKept(db, rows)
  for (const row of rows) {
    const { sync } = row
    const objectId = eventId(row)
    if (kept.has(objectId)) continue
    const time = new Date(timeOf(times, row.block) * 1000)
    const placed = placeFields(row, time, final)
    const object = readObject({ ...placed, ...eventFields(row) })
    const acl = accessOfRow(row, owners)
    const schema = classes.get(sync.className)
    const write = (fitting: ClassSchema, given: ObjectInput) =>
      insertRow(context, fitting, objectId, withPlace(given, placed, acl), { made: time })
    try {
      await db.nest(() => saveWithHooks(context, server, { schema, object: { ...object, acl }, write }))
    } catch (error) {
      if (isRefusedValue(error)) {
        await reportLeftOut(context, row, error)
        continue
      }
      if (!isRefusal(error)) throw error
      log.debug(
        { className: sync.className, objectId, reason: (error as Error).message },
        'event skipped: a hook rejected it',
      )
    }
  }
}

async function listKept(db: Database, rows: readonly EventRow[]): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const className of new Set(rows.map(({ sync }) => sync.className))) {
    const ids = rows.filter(({ sync }) => sync.className === className).map(eventId)
    const found = await db.query<{ objectId: string }>(
      sql`select "objectId" from ${sql.table(className)} where "objectId" = any(${ids})`,
    )
    for (const { objectId } of found) kept.add(objectId)
  }
  return kept
}

/** Returns true if a hook rejected the row. A failure of the server or a hook that hangs does not count. */
export function isRefusal(error: unknown): boolean {
  return error instanceof CountersignError && ![1, 2, 100, 124].includes(error.code)
}

function placeFields(row: EventRow, time: Date, final: number): WireFields {
  const { names, chain } = row.sync
  return {
    [names.chain]: chain,
    [names.contract]: row.contract,
    [names.block]: row.block,
    [names.blockHash]: row.blockHash,
    [names.blockTime]: { __type: 'Date', iso: time.toISOString() },
    [names.transaction]: row.transaction,
    [names.transactionIndex]: row.transactionIndex,
    [names.logIndex]: row.logIndex,
    [names.confirmed]: row.block <= final,
  }
}

function eventFields({ sync, values }: EventRow): WireFields {
  return Object.fromEntries(
    sync.fields.map(({ name, place, convert }) => {
      const value = values[place] as WireValue
      return [name, convert ? convert(value) : value]
    }),
  )
}

/** Restores position and access list, which hooks cannot change. */
function withPlace(given: ObjectInput, placed: WireFields, acl: StoredAcl | undefined): ObjectInput {
  const kept = given.changes.filter(({ field }) => !Object.hasOwn(placed, field))
  return { ...given, acl: acl ?? given.acl, changes: [...kept, ...readObject(placed).changes] }
}

/** Rows whose access is worked out in one transaction. */
const listsAtOnce = 2_000

/**
 * Recomputes the access of rows with wallets that were linked or unlinked. Returns true if more are left. Concurrent
 * writes wait, or are waited for.
 */
export async function updateAccess({ db }: Context, syncs: readonly Sync[]): Promise<boolean> {
  const asked = await db.query<{ id: string; address: string }>(
    sql`select id, address from countersign.sync_access limit 100`,
  )
  if (asked.length === 0) return false
  const addresses = [...new Set(asked.map(({ address }) => address))]
  for (const sync of syncs) {
    if (sync.isPublic || sync.owners.length === 0) continue
    const table = sql.table(sync.className)
    const named = sql.join(sync.owners.map((owner) => sql`t.${sql.id(owner)}`))
    const readers = sql`array_prepend(${walletReaders}::text, array(
      select distinct "user" collate "C" from countersign.wallets
      where ${linkedOn(sync.chain)} and address in (${named})
      order by 1))`
    const asked = sql.param(addresses)
    const isNamed = sql.join(
      sync.owners.map((owner) => sql`${sql.id(owner)} = any(${asked})`),
      ' or ',
    )
    const update = async () => {
      await db.query(sql`select pg_advisory_xact_lock(${accessLock})`)
      const changed = await db.query(sql`
        with due as (
          select "objectId", readers from (
            select "objectId", "_rperm", ${readers} as readers from ${table} t where (${isNamed}) and ${rowsOf(sync)}
          ) t
          where "_rperm" is distinct from readers
          limit ${listsAtOnce}
        )
        update ${table} t set "_rperm" = due.readers
        from due
        where t."objectId" = due."objectId"
        returning 1`)
      db.reportChange(sync.className)
      return changed.length
    }
    while ((await db.transaction(update)) === listsAtOnce);
  }
  await db.query(sql`delete from countersign.sync_access where id = any(${asked.map(({ id }) => id)}::uuid[])`)
  return true
}
