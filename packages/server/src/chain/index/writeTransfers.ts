import type { Context } from '../../context/Context.ts'
import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { TokenMetadata } from '../nodes/Chain.ts'
import type { Follower } from './chainState.ts'
import { type Transfer, transferId, zeroAddress } from './Transfer.ts'

type Place = {
  db: Database
  className: string
  chain: number
  /** Set if no transfer can exist yet. Saves a fifth of the time, and fails on an existing one. */
  allNew?: boolean
}

const columns = [
  ['objectId', 'text'],
  ['kind', 'text'],
  ['token', 'text'],
  ['from', 'text'],
  ['to', 'text'],
  ['operator', 'text'],
  ['tokenId', 'text'],
  ['amount', 'text'],
  ['block', 'double precision'],
  ['blockHash', 'text'],
  ['transaction', 'text'],
  ['transactionIndex', 'double precision'],
  ['logIndex', 'double precision'],
  ['sub', 'double precision'],
] as const

/**
 * Keeps transfers, in the open transaction; one that is kept already changes nothing. Set-based: a statement for each
 * kind of thing, however many there are. `times` is the time of each block, in seconds.
 */
export async function writeTransfers(
  place: Place,
  transfers: readonly Transfer[],
  times: ReadonlyMap<number, number>,
): Promise<void> {
  if (transfers.length === 0) return
  const coins = transfers.filter(({ kind }) => kind === 'erc20')
  const collectibles = transfers.filter(({ kind }) => kind !== 'erc20')
  if (coins.length > 0) {
    await place.db.query(insertion(place, coins, times))
    await touch(place, coins)
  }
  if (collectibles.length > 0) {
    await place.db.query(sql`with fresh as (${insertion(place, collectibles, times)} returning *) ${addHoldings(1)}`)
  }
  place.db.reportChange(place.className)
}

/** Adds transfers to the holdings; -1 undoes them. Sorted, so that two writers never deadlock. */
export function addHoldings(sign: 1 | -1): Fragment {
  return sql`
    insert into countersign.chain_holdings as h (chain, token, id, owner, kind, amount, block)
    select "chain"::bigint, "token", id, owner, max("kind"), sum(change), max("block"::bigint) from (
      select "chain", "token", "tokenId"::numeric as id, "to" as owner, "kind",
        ${sql.raw(sign)} * "amount"::numeric as change,
        "block"
      from fresh
      where "kind" <> 'erc20' and "to" <> ${zeroAddress}
      union all
      select "chain", "token", "tokenId"::numeric, "from", "kind", ${sql.raw(-sign)} * "amount"::numeric, "block"
      from fresh
      where "kind" <> 'erc20' and "from" <> ${zeroAddress}
    ) changes group by "chain", "token", id, owner order by 1, 2, 3, 4
    on conflict (chain, token, id, owner) do update
    set amount = h.amount + excluded.amount, block = greatest(h.block, excluded.block)`
}

function insertion(
  { className, chain, allNew }: Place,
  transfers: readonly Transfer[],
  times: ReadonlyMap<number, number>,
): Fragment {
  const names = sql.join(columns.map(([name]) => sql.id(name)))
  const values = [
    list(transfers, (transfer) => transferId(chain, transfer)),
    list(transfers, ({ kind }) => kind),
    list(transfers, ({ token }) => token),
    list(transfers, ({ from }) => from),
    list(transfers, ({ to }) => to),
    list(transfers, ({ operator }) => operator ?? 'null'),
    list(transfers, ({ tokenId }) => tokenId ?? 'null'),
    list(transfers, ({ amount }) => amount),
    list(transfers, ({ block }) => block),
    list(transfers, ({ blockHash }) => blockHash),
    list(transfers, ({ transaction }) => transaction),
    list(transfers, ({ transactionIndex }) => transactionIndex),
    list(transfers, ({ logIndex }) => logIndex),
    list(transfers, ({ sub }) => sub),
  ]
  const lists = columns.map(([, type], index) => sql`${values[index]}::${sql.raw(type)}[]`)
  const seconds = list(transfers, ({ block }) => timeOf(times, block))
  return sql`
    insert into ${sql.table(className)} ("createdAt", "updatedAt", "blockTime", "chain", ${names})
    select time, time, time, ${chain}, ${names} from (
      select to_timestamp(seconds) as time, ${names}
      from unnest(${sql.join(lists)}, ${seconds}::bigint[]) as given (${names}, seconds)
    ) rows
    ${allNew ? sql`` : sql`on conflict ("objectId") do nothing`}`
}

/** Put together here: the same pairs come again and again. Sorted, so that two who write never wait for each other. */
async function touch({ db, chain }: Place, coins: readonly Transfer[]): Promise<void> {
  const ownersOf = new Map<string, Set<string>>()
  for (const { from, to, token } of coins) {
    const owners = ownersOf.get(token) ?? new Set()
    ownersOf.set(token, owners.add(from).add(to))
  }
  const pairs = [...ownersOf].sort(byName).flatMap(([token, owners]) => {
    owners.delete(zeroAddress)
    return [...owners].sort().map((owner) => [owner, token])
  })
  await db.query(sql`
    insert into countersign.chain_touched (chain, owner, token)
    select ${chain}, owner, token
    from unnest(
      ${`{${pairs.map(([owner]) => owner).join(',')}}`}::text[],
      ${`{${pairs.map(([, token]) => token).join(',')}}`}::text[]) as pairs (owner, token)
    on conflict do nothing`)
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/**
 * An array as PostgreSQL reads it: the driver's own way looks at each letter. Here all values are hex digits, decimal
 * digits and words of ours, so that none needs quotes.
 */
function list(transfers: readonly Transfer[], pick: (transfer: Transfer) => string | number): string {
  let text = '{'
  for (const transfer of transfers) text += text.length === 1 ? pick(transfer) : `,${pick(transfer)}`
  return `${text}}`
}

export function timeOf(times: ReadonlyMap<number, number>, block: number): number {
  const time = times.get(block)
  if (time === undefined) throw new Error(`The time of block ${block} is not known.`)
  return time
}

/** Stores token metadata, so that tokens are found by symbol. NFTs have no decimals. */
export async function saveTokens(
  { db, clock }: Context,
  chain: number,
  tokens: readonly TokenMetadata[],
  kind: 'coins' | 'collectibles' = 'coins',
): Promise<void> {
  const said = tokens.filter(
    ({ symbol, decimals }) => symbol !== undefined && (decimals !== undefined || kind === 'collectibles'),
  )
  if (said.length === 0) return
  await db.query(sql`
    insert into countersign.chain_tokens (chain, token, kind, name, symbol, decimals, read)
    select ${chain}, token, ${kind === 'coins' ? 'erc20' : null}, name, symbol, decimals, ${clock.now()}
    from unnest(
      ${said.map(({ address }) => address)}::text[],
      ${said.map(({ name }) => name ?? null)}::text[],
      ${said.map(({ symbol }) => symbol)}::text[],
      ${said.map(({ decimals }) => decimals ?? null)}::integer[]) as given (token, name, symbol, decimals)
    on conflict (chain, token) do update set
      name = excluded.name, symbol = excluded.symbol, decimals = excluded.decimals, read = excluded.read`)
}

/** Keeps transfers of indexed addresses or contracts. */
export async function filterWatched({ context, chain }: Follower, transfers: Transfer[]): Promise<Transfer[]> {
  if (transfers.length === 0) return transfers
  const named = new Set<string>([''])
  for (const { token, from, to } of transfers) named.add(token).add(from).add(to)
  const sources = await context.db.query<{ kind: string; address: string; start: number }>(sql.named('chain-watched')`
    select kind, address, start from countersign.chain_sources
    where chain = ${chain.id} and address = any(${[...named]})`)
  const starts = new Map(sources.map(({ kind, address, start }) => [`${kind} ${address}`, start]))
  const isWanted = (source: string, block: number) => (starts.get(source) ?? Number.POSITIVE_INFINITY) <= block
  return transfers.filter(
    ({ token, from, to, block }) =>
      isWanted('all ', block) ||
      isWanted(`contract ${token}`, block) ||
      isWanted(`address ${from}`, block) ||
      isWanted(`address ${to}`, block),
  )
}
