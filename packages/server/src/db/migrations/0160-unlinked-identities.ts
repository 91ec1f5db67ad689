import type { Migration } from '../migrate.ts'

export const unlinkedIdentities: Migration = {
  name: '0160 unlinked identities',
  sql: `
    -- Identities that were unlinked a moment ago, for undo.
    create table countersign.unlinked_identities (
      provider text not null,
      id text not null,
      "user" text not null references "_User" ("objectId") on delete cascade,
      data bytea,
      linked timestamptz(3),
      last_used timestamptz(3),
      expires timestamptz(3) not null,
      primary key (provider, id, "user")
    );
    create index unlinked_identities_user on countersign.unlinked_identities ("user");
  `,
}
