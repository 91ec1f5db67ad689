import type { ClassPermissions } from '@countersign/protocol'
import type { ClassStep } from '../../classes/applySteps.ts'
import type { FieldType } from '../../classes/ClassSchema.ts'
import { shortenName } from '../../classes/names.ts'
import { refuseIndexed } from '../../classes/partitions/Layout.ts'
import { ConfigError } from '../../config/ConfigError.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { indexProgress } from './chainState.ts'

const [text, number, date]: FieldType[] = [{ type: 'String' }, { type: 'Number' }, { type: 'Date' }]

const fields: [string, FieldType | undefined][] = [
  ['chain', number],
  ['kind', text],
  ['token', text],
  ['from', text],
  ['to', text],
  ['operator', text],
  ['tokenId', text],
  ['amount', text],
  ['block', number],
  ['blockHash', text],
  ['blockTime', date],
  ['transaction', text],
  ['transactionIndex', number],
  ['logIndex', number],
  ['sub', number],
]

const indexes: [string, [string, 1 | -1][]][] = [
  [
    'from',
    [
      ['from', 1],
      ['chain', 1],
      ['block', -1],
    ],
  ],
  [
    'to',
    [
      ['to', 1],
      ['chain', 1],
      ['block', -1],
    ],
  ],
  [
    'token',
    [
      ['token', 1],
      ['chain', 1],
      ['block', -1],
    ],
  ],
  [
    'place',
    [
      ['chain', 1],
      ['block', -1],
      ['logIndex', -1],
      ['sub', -1],
    ],
  ],
]

/** Everyone may read what a chain shows to everyone; only the indexer writes. The operator may change it. */
const permissions: ClassPermissions = {
  find: { '*': true },
  get: { '*': true },
  count: { '*': true },
  create: {},
  update: {},
  delete: {},
  addField: {},
}

/** Creates the class of transfers if it is missing, and returns its name. */
export async function openTransferClass({ db, classes, config }: Context): Promise<string> {
  const className = config.indexer.transferClass
  await classes.change(className, async (current) => {
    const made = await db.query<{ className: string }>(sql`select "className" from countersign.chain_classes`)
    const own = made[0]?.className
    if (own !== undefined && own !== className) {
      throw new ConfigError(
        `indexer.transferClass is ${className}, but the transfers of this database are in the class ${own}: ` +
          `set it to ${own}.`,
      )
    }
    if (current && own === undefined) {
      throw new ConfigError(
        `The application already has a class ${className}. Choose another name for the class of ` +
          'transfers, by the setting indexer.transferClass.',
      )
    }
    await refuseIndexed(db, className, 'holds the transfers that the indexer writes')
    if (current) return []
    // An operator who dropped the class wants all of it read again.
    await db.query(sql`
      truncate countersign.chain_state, countersign.chain_blocks, countersign.chain_sources, countersign.chain_work,
        countersign.chain_progress, countersign.chain_holdings, countersign.chain_touched,
        countersign.chain_transactions`)
    db.reportChange(indexProgress)
    await db.query(sql`insert into countersign.chain_classes values (${className}) on conflict do nothing`)
    return [
      { kind: 'createClass' },
      ...fields.map(([name, field]): ClassStep => ({ kind: 'addField', name, field: field as FieldType })),
      ...indexes.map(
        ([name, entries]): ClassStep => ({
          kind: 'addIndex',
          name,
          index: { fields: new Map(entries), unique: false },
        }),
      ),
      { kind: 'setPermissions', permissions },
    ]
  })
  await tuneIndexes(db, className)
  return className
}

/**
 * Removes indexes of access lists, which transfers lack and which cost a fifth of the speed. Most transfers are of
 * coins: they should not pay for the indexes of NFTs. Checked first, since creating an index waits for all writers,
 * even if it exists.
 */
async function tuneIndexes(db: Context['db'], className: string): Promise<void> {
  const index = (name: string) => shortenName(`${className}::${name}`)
  const [found] = await db.query<{ tuned: boolean }>(
    sql`select to_regclass('public.' || quote_ident(${index('tokenId')})) is not null as tuned`,
  )
  if (found?.tuned) return
  await db.query(sql`
    drop index if exists public.${sql.id(index('rperm'))}, public.${sql.id(index('public'))};
    create index if not exists ${sql.id(index('tokenId'))}
      on ${sql.table(className)} ("token", "tokenId", "chain", "block" desc nulls last)
      where "kind" <> 'erc20'`)
}
