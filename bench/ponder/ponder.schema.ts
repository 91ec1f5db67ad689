import { index, onchainTable } from 'ponder'

/** Columns of our transfers, with their indexes. */
export const transfer = onchainTable(
  'transfer',
  (column) => ({
    id: column.text().primaryKey(),
    kind: column.text().notNull(),
    token: column.hex().notNull(),
    from: column.hex().notNull(),
    to: column.hex().notNull(),
    tokenId: column.bigint(),
    amount: column.bigint().notNull(),
    block: column.integer().notNull(),
    blockHash: column.hex().notNull(),
    blockTime: column.integer().notNull(),
    transaction: column.hex().notNull(),
    transactionIndex: column.integer().notNull(),
    logIndex: column.integer().notNull(),
  }),
  (table) => ({
    byFrom: index().on(table.from, table.block),
    byTo: index().on(table.to, table.block),
    byToken: index().on(table.token, table.block),
    byPlace: index().on(table.block, table.logIndex),
  }),
)
