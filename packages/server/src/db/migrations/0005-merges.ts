import type { Migration } from '../migrate.ts'

export const merges: Migration = {
  name: '0005 merges',
  sql: `
    create table countersign.merges (
      "objectId" text primary key,
      -- No foreign keys: either account may be gone for a while and come back by an undo.
      "from" text not null,
      "into" text not null,
      -- The wallet that proved the other account. It must still be that account's when the merge is carried out.
      wallet text not null,
      proven timestamptz(3) not null,
      expires timestamptz(3) not null,
      merged timestamptz(3),
      undo_until timestamptz(3),
      undone timestamptz(3),
      -- What is needed to take it back: sealed, since it holds the other account's password hash.
      undo bytea
    );
    create index merges_into on countersign.merges ("into");
    create index merges_expires on countersign.merges (expires);

    -- A step-up gives the session a new token. Requests that were under way with the old one end well for a moment.
    alter table "_Session" add column "_previous_hash" bytea, add column "_rotated" timestamptz(3);
    create index "_Session_previous" on "_Session" ("_previous_hash") where "_previous_hash" is not null;
  `,
}
