import type { Migration } from '../migrate.ts'

export const passkeys: Migration = {
  name: '0006 passkeys',
  sql: `
    create table countersign.passkeys (
      "objectId" text primary key,
      "user" text not null references "_User" ("objectId") on delete cascade,
      credential text not null unique,
      -- What the authenticator keeps as its user: the id of the user who registered it, also after a merge.
      user_handle text not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      backed_up boolean not null,
      name text not null,
      created timestamptz(3) not null,
      last_used timestamptz(3)
    );
    create index passkeys_user on countersign.passkeys ("user");
  `,
}
