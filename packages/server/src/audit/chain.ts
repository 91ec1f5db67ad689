import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import type { Anchor, NamedAnchor } from './anchors.ts'

// Any number will do, as long as every server on one database takes the same.
const sealingLock = 7166182913

const page = 1_000

const beginning: Buffer = Buffer.alloc(32)

type Parts = Pick<Context, 'db'> & { keys: { secret: string; formerSecret?: string; nextSecret?: string } }

type Row = {
  id: string
  at: Date
  actor: string
  action: string
  subject: string
  details: string
  address: string | null
  position: string | null
  hash: Buffer | null
}

// Ordered by the column, never by its text here, which has the same name: 10 would come before 2.
const columns = sql.raw('id::text, at, actor, action, subject, details::text as details, address, position::text, hash')

/** Each entry's hash holds the one before, so none can be changed, removed, added or moved without all that follow. */
function hashOf(row: Row, position: number, before: Buffer): Buffer {
  const { id, at, actor, action, subject, details, address } = row
  const content = JSON.stringify([position, id, at.toISOString(), actor, action, subject, details, address])
  return createHash('sha256').update(before).update(content).digest()
}

function markOf(secret: string, position: number, hash: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'countersign audit', 32))
  return createHmac('sha256', key).update(`${position}:`).update(hash).digest()
}

/** Marks the end with the present secret, where it was marked with the one before. A mark of anyone else stays as it is. */
export async function remarkAudit({ db, keys }: Parts): Promise<void> {
  await db.transaction(async () => {
    await db.query(sql`select pg_advisory_xact_lock(${sql.raw(sealingLock)})`)
    const [head] = await db.query<{ position: string; hash: Buffer; mark: Buffer }>(
      sql`select position::text, hash, mark from countersign.audit_head`,
    )
    if (!head || !isMarked(keys, { ...head, position: Number(head.position) })) return
    await db.query(
      sql`update countersign.audit_head set mark = ${markOf(keys.secret, Number(head.position), head.hash)}`,
    )
  })
}

function isMarked(keys: Parts['keys'], { position, hash, mark }: { position: number; hash: Buffer; mark: Buffer }) {
  return [keys.secret, keys.formerSecret, keys.nextSecret].some(
    (secret) => secret !== undefined && isSame(mark, markOf(secret, position, hash)),
  )
}

/**
 * Adds new entries to the chain. Returns true if there were any. Mostly there are none, which one statement without a
 * transaction finds out: an open transaction slows down every request of the process (`createTransactions.ts`).
 */
export async function sealAudit({ db, keys }: Parts): Promise<boolean> {
  const [unsealed] = await db.query(sql.named('find-unsealed')`
    select 1 from countersign.audit where hash is null limit 1`)
  if (!unsealed) return false
  return db.transaction(async () => {
    await db.query(sql`select pg_advisory_xact_lock(${sql.raw(sealingLock)})`)
    const rows = await db.query<Row>(
      sql`select ${columns} from countersign.audit a where hash is null order by a.id limit ${page}`,
    )
    if (rows.length === 0) return false
    const [head] = await db.query<{ position: string; hash: Buffer }>(
      sql`select position::text, hash from countersign.audit_head`,
    )
    let position = Number(head?.position ?? 0)
    let hash = head?.hash ?? beginning
    const sealed = rows.map((row) => {
      hash = hashOf(row, ++position, hash)
      return { id: row.id, position, hash }
    })
    await db.query(sql`
      update countersign.audit a set position = s.position, hash = s.hash
      from unnest(${sealed.map(({ id }) => id)}::bigint[], ${sealed.map((row) => row.position)}::bigint[],
        ${sealed.map((row) => row.hash)}::bytea[]) as s (id, position, hash)
      where a.id = s.id`)
    const mark = markOf(keys.secret, position, hash)
    await db.query(sql`
      insert into countersign.audit_head (position, hash, mark) values (${position}, ${hash}, ${mark})
      on conflict (one) do update set position = excluded.position, hash = excluded.hash, mark = excluded.mark`)
    return true
  })
}

/** The end of the chain as the database has it. */
export async function findHead({
  query,
}: Pick<Parts['db'], 'query'>): Promise<(Anchor & { mark: string }) | undefined> {
  const [head] = await query<{ position: string; hash: Buffer; mark: Buffer }>(
    sql`select position::text, hash, mark from countersign.audit_head`,
  )
  return head && { position: Number(head.position), hash: head.hash.toString('hex'), mark: head.mark.toString('hex') }
}

/** The first of the anchors whose entry the log does not hold. */
export async function findLostAnchor<One extends Anchor>(
  { query }: Pick<Parts['db'], 'query'>,
  anchors: readonly One[],
): Promise<One | undefined> {
  const rows = await query<{ position: string; hash: string }>(sql`
    select position::text, encode(hash, 'hex') as hash from countersign.audit
    where position = any(${anchors.map(({ position }) => position)}::bigint[])`)
  const held = new Set(rows.map(({ position, hash }) => `${position}:${hash}`))
  return anchors.find(({ position, hash }) => !held.has(`${position}:${hash}`))
}

export type Verdict = {
  isIntact: boolean
  entries: number
  /** Ends of the log outside the database that it was compared with. */
  anchors: number
  /** Entries that are not in the chain yet. */
  pending: number
  head?: string
  faults: string[]
}

const mostFaults = 20

/**
 * Verifies the chain from its first entry to its end, and reports where it is broken. Others may write at the same
 * time. Only the anchors show that the whole log, mark included, was restored to an earlier state.
 */
export async function verifyAudit({ db, keys }: Parts, anchors: readonly NamedAnchor[] = []): Promise<Verdict> {
  const faults: string[] = []
  const readHead = async () => {
    const [head] = await db.query<{ position: string; hash: Buffer; mark: Buffer }>(
      sql`select position::text, hash, mark from countersign.audit_head`,
    )
    return head && { ...head, position: Number(head.position) }
  }
  // The end is read first: entries added while reading come after it.
  const head = await readHead()
  if (!head) faults.push('The signed end of the log is missing: no server has run on this database, or it was removed.')
  else if (!isMarked(keys, head)) faults.push('The end of the log was not signed with the secret of this installation.')

  let position = 0
  let hash = beginning
  const expected = new Map<number, [hash: string, fault: string][]>()
  const expect = (at: number, wanted: string, fault: string) => {
    const known = expected.get(at) ?? []
    if (!known.some(([one, other]) => one === wanted && other === fault)) known.push([wanted, fault])
    expected.set(at, known)
  }
  if (head) expect(head.position, head.hash.toString('hex'), 'does not match the signed end of the log')
  for (const anchor of anchors) expect(anchor.position, anchor.hash, `does not match ${anchor.from}`)
  for (let isMore = true; isMore && faults.length < mostFaults; ) {
    const rows = await db.query<Row>(
      sql`select ${columns} from countersign.audit a where a.position > ${position} order by a.position limit ${page}`,
    )
    isMore = rows.length === page
    for (const row of rows) {
      const at = Number(row.position)
      if (at !== position + 1) faults.push(`Entries ${position + 1} to ${at - 1} are missing.`)
      else if (!row.hash?.equals(hashOf(row, at, hash))) faults.push(`Entry ${at} or an earlier one was changed.`)
      position = at
      // Continues with the stored hash, so that one change is one fault.
      hash = row.hash ?? beginning
      for (const [wanted, fault] of expected.get(at) ?? [])
        if (wanted !== hash.toString('hex')) faults.push(`Entry ${at} ${fault}.`)
    }
  }
  if (head && head.position > position)
    faults.push(`Entries ${position + 1} to ${head.position} are missing at the end.`)
  const latest = anchors.reduce<NamedAnchor | undefined>(
    (one, other) => (one && one.position >= other.position ? one : other),
    undefined,
  )
  if (latest && latest.position > position) {
    const time = latest.at === '' ? '' : ` of ${latest.at}`
    faults.push(
      `The log was restored to an earlier state or replaced: entry ${latest.position}${time} is missing, but ${latest.from} refers to it.`,
    )
  }
  if (head && head.position < position && ((await readHead())?.position ?? 0) < position)
    faults.push('The log has entries after its signed end.')
  const [waiting] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from countersign.audit where position is null`,
  )
  return {
    isIntact: faults.length === 0,
    entries: position,
    anchors: anchors.length,
    pending: waiting?.count ?? 0,
    ...(position > 0 && { head: `${position}:${hash.toString('hex')}` }),
    faults: faults.slice(0, mostFaults),
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
