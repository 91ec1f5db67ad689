import type { Migration } from '../migrate.ts'

export const waysBackIn: Migration = {
  name: '0003 ways back in',
  sql: `
      create table countersign.tokens (
        hash bytea primary key,
        purpose text not null check (purpose in ('reset', 'verify')),
        "user" text not null references "_User" ("objectId") on delete cascade,
        email text not null,
        expires timestamptz not null
      );
      create index tokens_user on countersign.tokens ("user", purpose);

      create table countersign.login_failures (
        name_key text primary key,
        failures integer not null,
        locked_until timestamptz,
        last timestamptz not null
      );

      create table countersign.outbox (
        id text primary key,
        recipient text not null,
        subject text not null,
        body text not null,
        link text,
        created timestamptz not null
      );

      create table countersign.keys (name text primary key, value text not null);
    `,
}
