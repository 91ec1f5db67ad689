import type { Migration } from '../migrate.ts'

export const removedPasskeys: Migration = {
  name: '0298 removed passkeys',
  sql: `
    -- Passkeys that were removed a moment ago, for undo.
    create table countersign.removed_passkeys (
      "objectId" text primary key,
      "user" text not null references "_User" ("objectId") on delete cascade,
      credential text not null,
      user_handle text not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      backed_up boolean not null,
      name text not null,
      created timestamptz(3) not null,
      last_used timestamptz(3),
      expires timestamptz(3) not null
    );
    create index removed_passkeys_user on countersign.removed_passkeys ("user");
  `,
}
