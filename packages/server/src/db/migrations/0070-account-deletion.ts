import type { Migration } from '../migrate.ts'

export const accountDeletion: Migration = {
  name: '0070 account deletion',
  sql: `
    -- Accounts that their owners deleted and may still restore. Meanwhile the access lists of such a user name nobody,
    -- as those of a locked one do; what they were, and will be again, is kept here.
    create table countersign.deletions (
      "user" text primary key references "_User" ("objectId") on delete cascade,
      asked timestamptz(3) not null,
      due timestamptz(3) not null,
      rperm text[],
      wperm text[]
    );
    create index deletions_due on countersign.deletions (due);
  `,
}
