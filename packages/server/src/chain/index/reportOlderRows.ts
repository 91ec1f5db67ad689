import { walletReaders } from '../../classes/acl.ts'
import { linkedOn } from '../../classes/olderClasses.ts'
import { type Fragment, json, sql } from '../../db/sql.ts'
import { findHooks, runAfter } from '../../hooks/runHooks.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import { server } from '../events/writeEvents.ts'
import type { Hex } from '../nodes/Chain.ts'
import { getTokenMetadata } from '../reads/tokens.ts'
import type { Follower } from './chainState.ts'
import { saveTokens } from './writeTransfers.ts'

type Range = { above: number; upTo: number }

/** Event names of webhooks. */
const events = { create: 'object.created', confirm: 'object.updated', delete: 'object.deleted' }

/**
 * Reports changes of legacy classes to live queries, webhooks, `afterSave` and `afterDelete`: they have no table with
 * triggers. Runs in the transaction that writes the blocks; before it, if they are undone.
 */
export async function reportOlderRows(
  follower: Follower,
  change: 'create' | 'confirm' | 'delete',
  range: Range,
): Promise<void> {
  const { context, chain } = follower
  const { db, classes } = context
  const reported = classes.listReadOnly().filter(({ source }) => source?.isLive && source.chains.includes(chain.id))
  if (reported.length === 0 || range.upTo <= range.above) return
  const hook = change === 'delete' ? 'afterDelete' : 'afterSave'
  const event = events[change]
  await db.transaction(async () => {
    const classNames = reported.map(({ className }) => className)
    const watched = await listWatched(follower, classNames)
    const heard = await listHeard(follower, event, classNames)
    for (const schema of reported) {
      const { className, source } = schema
      const isHooked = findHooks(context, hook, className) !== undefined
      if (!source || !(isHooked || watched.has(className) || heard.has(className))) continue
      const readers = source.isPublic ? sql`null::text` : writeReaders(chain.id, source.owners)
      const rows = await db.query<{ row: JsonRow }>(sql`
        select (to_jsonb(t.*) - '_block' - '_chain') || jsonb_build_object('_rperm', ${readers}) as row
        from ${source.rows} t
        where "_chain" = ${chain.id} and "_block" > ${range.above} and "_block" <= ${range.upTo}
        order by "_block", "transaction_index", "objectId"`)
      if (rows.length === 0) continue
      const before = ({ row }: { row: JsonRow }) => (change === 'confirm' ? { ...row, confirmed: false } : row)
      if (watched.has(className)) {
        const lists: [Fragment, JsonRow[]][] = []
        if (change !== 'create') lists.push([sql`before`, rows.map(before)])
        if (change !== 'delete') lists.push([sql`after`, rows.map(({ row }) => row)])
        const names = sql.join(lists.map(([name]) => name))
        const values = sql.join(lists.map(([, list]) => sql`${list.map(json)}::jsonb[]`))
        await db.query(sql`
          insert into countersign.changes (class_name, ${names})
          select ${className}, ${names}
          from unnest(${values}) with ordinality as given (${names}, place)
          order by place`)
        db.reportChange(className)
      }
      if (heard.has(className)) {
        const bodies = rows.map((found) => ({
          object: found.row,
          ...(change === 'confirm' && { original: before(found) }),
        }))
        await db.query(sql`
          select countersign.tell_event(${event}, ${className}, body)
          from unnest(${bodies.map(json)}::jsonb[]) as body`)
      }
      for (const found of isHooked ? rows : []) {
        const object = decodeObject(schema, found.row)
        const original = change === 'confirm' ? { original: decodeObject(schema, before(found)) } : {}
        await runAfter(context, server, { hook, className, object, ...original })
      }
    }
  })
}

/** Classes with subscribers. A class that gets its first one now waits, so that it misses no write. */
async function listWatched({ context: { db } }: Follower, classNames: string[]): Promise<Set<string>> {
  await db.query(sql`
    select pg_advisory_xact_lock_shared(hashtext('countersign:live'), hashtext(name))
    from unnest(${classNames}::text[]) as name`)
  const rows = await db.query<{ name: string }>(
    sql`select class_name as name from countersign.live_classes where class_name = any(${classNames})`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Classes that a webhook subscribes to. */
async function listHeard({ context: { db } }: Follower, event: string, classNames: string[]): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(sql`
    select name from unnest(${classNames}::text[]) as name
    where exists (select from countersign.webhooks w where countersign.hears(w, ${event}, name))`)
  return new Set(rows.map(({ name }) => name))
}

function writeReaders(chain: number, owners: readonly string[]): Fragment {
  const named = sql.join(owners.map((owner) => sql`t.${sql.id(owner)}`))
  return sql`array_prepend(${walletReaders}::text, array(
    select distinct "user" from countersign.wallets where ${linkedOn(chain)} and address in (${named})))`
}

const describedAtOnce = 20

const mostAsked = 10_000

/**
 * Reads names of tokens at indexed addresses, for the legacy classes. Each is asked once, since a token without a name
 * will not get one. `asked` are those of this process.
 */
export async function describeTokens(follower: Follower, asked: Set<string>): Promise<void> {
  const { context, chain } = follower
  if (
    asked.size > mostAsked ||
    !context.classes.listReadOnly().some(({ source }) => source?.chains.includes(chain.id))
  ) {
    return
  }
  for (const [kind, table] of [
    ['coins', sql`countersign.chain_touched`],
    ['collectibles', sql`countersign.chain_holdings`],
  ] as const) {
    const found = await context.db.query<{ token: Hex }>(sql`
      select distinct k.token
      from countersign.chain_sources o
      join ${table} k on k.chain = o.chain and k.owner = o.address
      where o.chain = ${chain.id} and o.kind = 'address' and k.token <> all(${[...asked]}::text[])
        and not exists (select from countersign.chain_tokens n where n.chain = k.chain and n.token = k.token)
      limit ${describedAtOnce}`)
    if (found.length === 0) continue
    const tokens = found.map(({ token }) => token)
    await saveTokens(context, chain.id, await getTokenMetadata(chain, tokens), kind)
    for (const token of tokens) asked.add(token)
  }
}
