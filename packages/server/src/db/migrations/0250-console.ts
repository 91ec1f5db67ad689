import type { Migration } from '../migrate.ts'

export const operatorConsole: Migration = {
  name: '0250 console',
  sql: `
    -- Who may use the operator's console. A table of the server's own and no role of the application: nothing that
    -- clients write, import, nest, gate by tokens or call "admin" reaches it.
    create table countersign.operators (
      "user" text primary key references "_User" ("objectId") on delete cascade,
      role text not null check (role in ('admin', 'support', 'viewer')),
      since timestamptz(3) not null
    );

    -- One-time links that make operators. Of the secret only a hash is kept.
    create table countersign.operator_links (
      hash bytea primary key,
      role text not null check (role in ('admin', 'support', 'viewer')),
      -- Printed by the start of an installation without users.
      first boolean not null default false,
      expires timestamptz(3) not null
    );

    -- The access list that a locked account had, to open it again.
    create table countersign.disabled_users (
      "user" text primary key references "_User" ("objectId") on delete cascade,
      rperm text[],
      wperm text[],
      disabled timestamptz(3) not null
    );

    -- What the server counts of itself: by minute for a day, by hour for 30 days. Which place of the list stands for
    -- what is said in console/figures.ts.
    create table countersign.figures (
      period integer not null,
      at timestamptz(0) not null,
      counts bigint[] not null,
      sockets integer not null,
      primary key (period, at)
    );
  `,
}
