import { quote, tableOf } from '../db/createBindings.ts'
import { joinTableName } from './joinTableName.ts'
import { shortenName } from './shortenName.ts'

/** Names of indexes and tables share one room; the colons keep these apart from every class. */
const ownIndex = (table: string, name: string) => quote(shortenName(`${table}::${name}`))

/** The table of a class that has no fields yet. */
export function createTable(className: string): string {
  return `
    create table ${tableOf(className)} (
      "objectId" text not null,
      "createdAt" timestamptz(3) not null,
      "updatedAt" timestamptz(3) not null,
      "_rperm" text[],
      "_wperm" text[],
      "_nulls" text[],
      constraint ${ownIndex(className, 'pkey')} primary key ("objectId")
    );
    create index ${ownIndex(className, 'rperm')} on ${tableOf(className)} using gin ("_rperm");
    -- Rows without a list are everyone's, and an index of that kind does not know them.
    create index ${ownIndex(className, 'public')} on ${tableOf(className)} ("objectId") where "_rperm" is null`
}

/** The table of a relation. It follows the owning object into deletion; what it leads to may vanish on its own. */
export function createJoinTable(className: string, field: string): string {
  const name = joinTableName(className, field)
  return `
    create table ${tableOf(name)} (
      "owningId" text not null references ${tableOf(className)} ("objectId") on delete cascade,
      "relatedId" text not null,
      constraint ${ownIndex(name, 'pkey')} primary key ("owningId", "relatedId")
    );
    create index ${ownIndex(name, 'related')} on ${tableOf(name)} ("relatedId")`
}
