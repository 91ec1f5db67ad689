import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

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

/** The end of the chain, to be kept elsewhere: what comes before it can no longer be changed unnoticed. */
export type Anchor = { position: number; hash: string }

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

/** Puts what is new into the chain. Answers whether there was anything. */
export async function sealAudit({ db, keys }: Parts): Promise<boolean> {
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

export type Verdict = {
  isIntact: boolean
  entries: number
  /** Entries that are not in the chain yet. */
  pending: number
  head?: string
  faults: string[]
}

const mostFaults = 20

/** Follows the chain from its first entry to its end, and says where it is broken. Others may write meanwhile. */
export async function verifyAudit({ db, keys }: Parts, anchor?: Anchor): Promise<Verdict> {
  const faults: string[] = []
  const readHead = async () => {
    const [head] = await db.query<{ position: string; hash: Buffer; mark: Buffer }>(
      sql`select position::text, hash, mark from countersign.audit_head`,
    )
    return head && { ...head, position: Number(head.position) }
  }
  // The end comes first: what is chained while the rest is read comes after it.
  const head = await readHead()
  if (!head) faults.push('The end of the log is not marked: no server has started on this database, or it was removed.')
  else if (!isMarked(keys, head)) faults.push('The mark of the end was not made with the secret of this installation.')

  let position = 0
  let hash = beginning
  const expected = new Map<number, [hash: string, fault: string]>()
  if (head) expected.set(head.position, [head.hash.toString('hex'), 'is not the end that is marked'])
  if (anchor && anchor.position !== head?.position)
    expected.set(anchor.position, [anchor.hash, 'is not the one of the anchor'])
  else if (anchor && anchor.hash !== head?.hash.toString('hex'))
    faults.push(`Entry ${anchor.position} is not the one of the anchor.`)
  for (let isMore = true; isMore && faults.length < mostFaults; ) {
    const rows = await db.query<Row>(
      sql`select ${columns} from countersign.audit a where a.position > ${position} order by a.position limit ${page}`,
    )
    isMore = rows.length === page
    for (const row of rows) {
      const at = Number(row.position)
      if (at !== position + 1) faults.push(`Entries ${position + 1} to ${at - 1} are missing.`)
      else if (!row.hash?.equals(hashOf(row, at, hash))) faults.push(`Entry ${at} was changed, or one before it.`)
      position = at
      // Goes on from what stands there, so that one change is one fault.
      hash = row.hash ?? beginning
      const [wanted, fault] = expected.get(at) ?? []
      if (wanted !== undefined && wanted !== hash.toString('hex')) faults.push(`Entry ${at} ${fault}.`)
      expected.delete(at)
    }
  }
  if (head && head.position > position)
    faults.push(`Entries ${position + 1} to ${head.position} are missing at the end.`)
  if (anchor && anchor.position > position) faults.push(`Entry ${anchor.position}, which the anchor names, is missing.`)
  if (head && head.position < position && ((await readHead())?.position ?? 0) < position)
    faults.push('The log goes on after the end that is marked.')
  const [waiting] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from countersign.audit where position is null`,
  )
  return {
    isIntact: faults.length === 0,
    entries: position,
    pending: waiting?.count ?? 0,
    ...(position > 0 && { head: `${position}:${hash.toString('hex')}` }),
    faults: faults.slice(0, mostFaults),
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** `120:9f86…`, as `countersign audit verify` prints it. */
export function readAnchor(text: string): Anchor | undefined {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  return position && hash ? { position: Number(position), hash: hash.toLowerCase() } : undefined
}
