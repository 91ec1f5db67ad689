import { tableOf } from '../../db/createBindings.ts'
import type { Database } from '../../db/Database.ts'
import { type Transfer, zeroAddress } from './Transfer.ts'
import { transferId } from './transferId.ts'

type Place = {
  db: Database
  className: string
  chain: number
  /** Whether none of the transfers can be there already: saves a fifth, and fails where one is. */
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
  if (collectibles.length > 0) await place.db.query(insertion(place, collectibles, times, addHoldings(1)))
}

/** What transfers change in who holds what; with -1, what undoing them changes. Sorted, so that two never deadlock. */
export function addHoldings(sign: 1 | -1): string {
  return `
    insert into countersign.chain_holdings as h (chain, token, id, owner, kind, amount, block)
    select "chain"::bigint, "token", id, owner, max("kind"), sum(change), max("block"::bigint) from (
      select "chain", "token", "tokenId"::numeric as id, "to" as owner, "kind", ${sign} * "amount"::numeric as change, "block"
      from fresh where "kind" <> 'erc20' and "to" <> '${zeroAddress}'
      union all
      select "chain", "token", "tokenId"::numeric, "from", "kind", ${-sign} * "amount"::numeric, "block"
      from fresh where "kind" <> 'erc20' and "from" <> '${zeroAddress}'
    ) changes group by "chain", "token", id, owner order by 1, 2, 3, 4
    on conflict (chain, token, id, owner) do update
    set amount = h.amount + excluded.amount, block = greatest(h.block, excluded.block)`
}

function insertion(
  { className, chain, allNew }: Place,
  transfers: readonly Transfer[],
  times: ReadonlyMap<number, number>,
  then?: string,
) {
  const names = columns.map(([name]) => `"${name}"`)
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
    list(transfers, ({ block }) => timeOf(times, block)),
  ]
  const unnested = [...columns.map(([, type], index) => `$${index + 2}::${type}[]`), `$${columns.length + 2}::bigint[]`]
  const insert = `
    insert into ${tableOf(className)} ("createdAt", "updatedAt", "blockTime", "chain", ${names})
    select time, time, time, $1, ${names} from (
      select to_timestamp(seconds) as time, ${names} from unnest(${unnested}) as given (${names}, seconds)
    ) rows
    ${allNew ? '' : 'on conflict ("objectId") do nothing'}`
  return { text: then ? `with fresh as (${insert} returning *) ${then}` : insert, values: [chain, ...values] }
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
  await db.query({
    text: `insert into countersign.chain_touched (chain, owner, token)
           select $1, owner, token from unnest($2::text[], $3::text[]) as pairs (owner, token) on conflict do nothing`,
    values: [chain, `{${pairs.map(([owner]) => owner).join(',')}}`, `{${pairs.map(([, token]) => token).join(',')}}`],
  })
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

function timeOf(times: ReadonlyMap<number, number>, block: number): number {
  const time = times.get(block)
  if (time === undefined) throw new Error(`The time of block ${block} is not known.`)
  return time
}
