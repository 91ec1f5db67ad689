import { CountersignError } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { type ClassSchema, type ClassSource, emptySchema, type FieldTypeName } from './ClassSchema.ts'

/** Chains by the legacy service's class prefix, test chains included. */
const prefixes = new Map([
  ['Eth', [1, 3, 4, 5, 42, 1_337, 17_000, 31_337, 11_155_111]],
  ['Polygon', [137, 80_001, 80_002]],
  ['Bsc', [56, 97]],
  ['Avax', [43_114, 43_113]],
  ['Fantom', [250, 4_002]],
  ['Cronos', [25, 338]],
])

/** The first chain of the configuration that the older service called by this name. */
export function findOlderChain({ chains }: Pick<Config, 'chains'>, prefix: string): number | undefined {
  return chains.find(({ id }) => prefixes.get(prefix)?.includes(id))?.id
}

const olderName =
  /^(Eth|Polygon|Bsc|Avax|Fantom|Cronos)(Transactions|TokenTransfers|NFTTransfers|TokenBalance|NFTOwners|Balance)(Pending)?$/

type Column = [name: string, type: FieldTypeName, value: Fragment]

type Kind = {
  columns: Column[]
  objectId: Fragment
  time: Fragment
  /** Of rows that follow from one block. */
  block?: Fragment
  from: Fragment
  owners: string[]
  isLive: boolean
}

const transactions: Kind = {
  objectId: sql`x.hash`,
  time: sql`x.time`,
  block: sql`x.block`,
  from: sql`countersign.chain_transactions x join countersign.chain_state s on s.chain = x.chain where true`,
  owners: ['from_address', 'to_address'],
  isLive: true,
  columns: [
    ['hash', 'String', sql`x.hash`],
    ['block_number', 'Number', sql`x.block::double precision`],
    ['block_hash', 'String', sql`x.block_hash`],
    ['block_timestamp', 'Date', sql`x.time`],
    ['transaction_index', 'Number', sql`x.index::double precision`],
    ['from_address', 'String', sql`x."from"`],
    ['to_address', 'String', sql`x."to"`],
    ['value', 'String', sql`x.value::text`],
    ['decimal', 'Number', sql`x.value::double precision`],
    ['nonce', 'Number', sql`x.nonce::double precision`],
    ['gas', 'Number', sql`x.gas::double precision`],
    ['gas_price', 'Number', sql`x.gas_price::double precision`],
    ['input', 'String', sql`x.input`],
    ['receipt_status', 'Number', sql`x.status::double precision`],
    ['receipt_gas_used', 'Number', sql`x.gas_used::double precision`],
    ['receipt_cumulative_gas_used', 'Number', sql`x.cumulative_gas_used::double precision`],
    ['receipt_contract_address', 'String', sql`x.contract`],
    ['confirmed', 'Boolean', sql`x.block <= s.finalized`],
  ],
}

/** The rows of one kind of class, by what the index keeps: `x` is the table that each row comes from, `s` the chain's state. */
function kindsOf(transfers: Fragment): Map<string, Kind> {
  const placed: Column[] = [
    ['block_number', 'Number', sql`x."block"`],
    ['block_hash', 'String', sql`x."blockHash"`],
    ['block_timestamp', 'Date', sql`x."blockTime"`],
    ['transaction_hash', 'String', sql`x."transaction"`],
    ['transaction_index', 'Number', sql`x."transactionIndex"`],
    ['log_index', 'Number', sql`x."logIndex"`],
    ['from_address', 'String', sql`x."from"`],
    ['to_address', 'String', sql`x."to"`],
    ['token_address', 'String', sql`x."token"`],
    ['confirmed', 'Boolean', sql`x."block" <= s.finalized`],
  ]
  const transferred = {
    objectId: sql`x."objectId"`,
    time: sql`x."blockTime"`,
    block: sql`x."block"`,
    owners: ['from_address', 'to_address'],
    isLive: true,
  }
  const named: Column[] = [
    ['name', 'String', sql`n.name`],
    ['symbol', 'String', sql`n.symbol`],
  ]
  const names = sql`left join countersign.chain_tokens n on n.chain = x.chain and n.token = x.token`
  const sum = (side: Fragment) => sql`(select coalesce(sum(f."amount"::numeric), 0) from ${transfers} f
    where f.${side} = x.owner and f."token" = x.token and f."chain" = x.chain and f."kind" = 'erc20')`
  // Of other addresses only transfers with indexed ones are stored, which give no balance.
  const isFollowed = sql`exists (
    select from countersign.chain_sources o
    where o.chain = x.chain and (o.kind = 'all'
      or (o.kind = 'address' and o.address = x.owner) or (o.kind = 'contract' and o.address = x.token)))`
  return new Map<string, Kind>([
    ['Transactions', transactions],
    [
      'TokenTransfers',
      {
        ...transferred,
        from: sql`${transfers} x join countersign.chain_state s on s.chain = x."chain" where x."kind" = 'erc20'`,
        columns: [
          ...placed,
          ['value', 'String', sql`x."amount"`],
          ['decimal', 'Number', sql`x."amount"::double precision`],
        ],
      },
    ],
    [
      'NFTTransfers',
      {
        ...transferred,
        from: sql`${transfers} x join countersign.chain_state s on s.chain = x."chain" where x."kind" <> 'erc20'`,
        columns: [
          ...placed,
          ['token_id', 'String', sql`x."tokenId"`],
          ['amount', 'String', sql`x."amount"`],
          ['operator', 'String', sql`x."operator"`],
          ['contract_type', 'String', sql`upper(x."kind")`],
        ],
      },
    ],
    [
      'TokenBalance',
      {
        objectId: sql`x.owner || ':' || x.token`,
        time: sql`s.tip_time`,
        from: sql`countersign.chain_touched x
          join countersign.chain_state s on s.chain = x.chain
          ${names}
          where ${isFollowed}`,
        owners: ['address'],
        isLive: false,
        columns: [
          ['address', 'String', sql`x.owner`],
          ['token_address', 'String', sql`x.token`],
          ['balance', 'String', sql`greatest(${sum(sql`"to"`)} - ${sum(sql`"from"`)}, 0)::text`],
          ['contract_type', 'String', sql`'ERC20'::text`],
          ...named,
          ['decimals', 'Number', sql`n.decimals::double precision`],
        ],
      },
    ],
    [
      'NFTOwners',
      {
        objectId: sql`x.token || ':' || x.id::text || ':' || x.owner`,
        time: sql`s.tip_time`,
        from: sql`countersign.chain_holdings x join countersign.chain_state s on s.chain = x.chain ${names}
          left join countersign.chain_nfts u on u.chain = x.chain and u.token = x.token and u.id = x.id
          where x.amount > 0 and ${isFollowed}`,
        owners: ['owner_of'],
        isLive: false,
        columns: [
          ['owner_of', 'String', sql`x.owner`],
          ['token_address', 'String', sql`x.token`],
          ['token_id', 'String', sql`x.id::text`],
          ['amount', 'String', sql`x.amount::text`],
          ['contract_type', 'String', sql`upper(x.kind)`],
          ['block_number', 'Number', sql`x.block::double precision`],
          ...named,
          ['token_uri', 'String', sql`u.uri`],
        ],
      },
    ],
  ])
}

/**
 * Classes of the older service that the index serves with their names and fields, if enabled. Read-only, without a
 * table: each is a select over the index, so they are never behind it.
 */
export function listOlderClasses({ indexer, chains }: Pick<Config, 'indexer' | 'chains'>): ClassSchema[] {
  if (indexer.olderClasses === 'off') return []
  const kinds = kindsOf(sql.table(indexer.transferClass))
  const followed = chains.filter(({ index }) => index && index.mode !== 'off')
  return [...prefixes].flatMap(([prefix, ids]) =>
    [...kinds].flatMap(([name, kind]): ClassSchema[] => {
      const served = followed
        .filter(({ id, index }) => ids.includes(id) && (name !== 'Transactions' || index?.transactions))
        .map(({ id }) => id)
      if (served.length === 0) return []
      return [
        {
          ...emptySchema(`${prefix}${name}`),
          fields: new Map([
            ['chainId', { type: 'Number' as const }],
            ...kind.columns.map(([field, type]): [string, { type: FieldTypeName }] => [field, { type }]),
          ]),
          permissions: readOnly,
          source: {
            rows: sql.flat(writeRows(kind, served)),
            chains: served,
            owners: kind.owners,
            isPublic: indexer.olderClasses === 'public',
            isLive: kind.isLive,
            ...(name !== 'Transactions' && { needs: indexer.transferClass }),
          },
        },
      ]
    }),
  )
}

const anyone = { '*': true as const }

const readOnly = { find: anyone, get: anyone, count: anyone, create: {}, update: {}, delete: {}, addField: {} }

/** With the columns that every table has. `_chain` and `_block` are as the index has them, so that it finds them by its own. */
function writeRows(
  { columns, objectId, time, block = sql`null::bigint`, from }: Kind,
  chains: readonly number[],
): Fragment {
  const fields = columns.map(([name, , value]) => sql`${value} as ${sql.id(name)}`)
  return sql`(
    select ${objectId} as "objectId", ${time} as "createdAt", ${time} as "updatedAt",
      '{}'::text[] as "_rperm", '{}'::text[] as "_wperm", null::text[] as "_nulls",
      x.chain as "_chain", ${block} as "_block", x.chain::double precision as "chainId", ${sql.join(fields)}
    from ${from} and x.chain in (${sql.join(chains.map(sql.raw))})
  )`
}

/**
 * The wallets that count on a chain: a contract account is its owner's on its own chain alone, and only as long as its
 * proof holds.
 */
export function linkedOn(chain: number): Fragment {
  return sql`namespace = 'eip155' and not provisional and lapsed is null
    and (chain_id is null or chain_id = ${String(chain)})`
}

/** The rows that name a wallet of the user's. */
export function writeOwnRows({ chains, owners }: ClassSource, userId: string, alias: Fragment): Fragment {
  const user = sql.param(userId)
  const onChain = chains.map((chain) => {
    const wallets = sql`array(select address from countersign.wallets where "user" = ${user} and ${linkedOn(chain)})`
    const names = owners.map((owner) => sql`${alias}.${sql.id(owner)} = any(${wallets})`)
    return sql`${alias}."_chain" = ${sql.raw(chain)} and (${sql.join(names, ' or ')})`
  })
  return sql`(${sql.join(onChain, ' or ')})`
}

/**
 * Explains why a class of the older service is missing, with the fix; undefined for any other name. An empty result
 * would look as if nothing had happened on the chain.
 */
export function explainOlderName({ indexer, chains }: Pick<Config, 'indexer' | 'chains'>, className: string) {
  const [, prefix = '', kind = '', isPending] = olderName.exec(className) ?? []
  const ids = prefixes.get(prefix)
  if (!ids) return undefined
  if (isPending) return `Rows of blocks that are not final are in ${prefix}${kind}, with confirmed: false.`
  if (kind === 'Balance') return 'Native balances are not stored. Read them from the node with getNativeBalance.'
  if (indexer.olderClasses === 'off') return 'To read it from the index, set indexer.olderClasses.'
  const followed = chains.filter(({ id, index }) => ids.includes(id) && index && index.mode !== 'off')
  if (followed.length === 0) return `Add the setting index to a chain with the id ${ids.slice(0, 2).join(' or ')}.`
  if (kind !== 'Transactions' || followed.some(({ index }) => index?.transactions)) return undefined
  return `Set index.transactions of the chain ${followed[0]?.id}.`
}

/** Refuses a class of the older service that is not there. */
export function refuseOlderName(config: Pick<Config, 'indexer' | 'chains'>, className: string): void {
  const remedy = explainOlderName(config, className)
  if (remedy)
    throw new CountersignError('CommandUnavailable', `${className} is a class of the older service. ${remedy}`)
}
