import type { Migration } from '../migrate.ts'

export const merges: Migration = {
  name: '0005 merges',
  sql: `
    create table countersign.merges (
      "objectId" text primary key,
      "from" text not null,
      "into" text not null references "_User" ("objectId") on delete cascade,
      proven timestamptz(3) not null,
      expires timestamptz(3) not null,
      merged timestamptz(3),
      undone timestamptz(3),
      -- What is needed to take it back: sealed, since it holds the other account's password hash.
      undo bytea
    );
  `,
}
