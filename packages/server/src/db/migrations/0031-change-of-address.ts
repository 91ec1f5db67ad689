import type { Migration } from '../migrate.ts'

export const changeOfAddress: Migration = {
  name: '0031 change of address',
  sql: `
    alter table "_User"
      -- When the address was added to an account that was there before; null for one that it was made with.
      add column "_email_added" timestamptz(3),
      -- True where the link was followed outside a session of the account: whoever reads the mailbox need not be the
      -- one who made the account and what opens it.
      add column "_verified_outside" boolean;

    -- Verified addresses that were replaced or removed a while ago, for the link that brings them back.
    create table countersign.email_changes (
      hash bytea primary key,
      "user" text not null references "_User" ("objectId") on delete cascade,
      email text not null,
      added timestamptz(3),
      verified_outside boolean not null,
      changed timestamptz(3) not null,
      expires timestamptz(3) not null
    );
    create index email_changes_user on countersign.email_changes ("user");
  `,
}
