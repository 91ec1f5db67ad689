import type { Migration } from '../migrate.ts'

export const wallets: Migration = {
  name: '0004 wallets',
  sql: `
      -- What a wallet was asked to sign. A row is used up by deleting it. Unlogged: a crash empties the table, so what
      -- was used up stays so and what was not is asked for again; in return a challenge waits for no disk.
      create unlogged table countersign.challenges (
        nonce text primary key,
        purpose text not null,
        namespace text not null,
        binding bytea not null,
        "user" text references "_User" ("objectId") on delete cascade,
        domain text not null,
        uri text not null,
        statement text not null,
        address text,
        chain_id text,
        issued timestamptz(3) not null,
        expires timestamptz(3) not null
      );
      create index challenges_expires on countersign.challenges (expires);

      -- Which accounts on chains are whose. The key is the identity: an address for a key pair, which is one
      -- on every chain; chain and address for a contract, which may be somebody else's on another chain.
      create table countersign.wallets (
        key text primary key,
        "objectId" text not null unique,
        "user" text not null references "_User" ("objectId") on delete cascade,
        namespace text not null check (namespace in ('eip155', 'solana')),
        kind text not null check (kind in ('eoa', 'contract', 'delegated', 'solana')),
        chain_id text,
        address text not null,
        label text,
        is_primary boolean not null default false,
        linked timestamptz(3) not null,
        last_used timestamptz(3) not null
      );
      create index wallets_user on countersign.wallets ("user");
      create unique index wallets_primary on countersign.wallets ("user", namespace) where is_primary;

      -- Wallets that were unlinked a moment ago, for undo.
      create table countersign.unlinked_wallets (
        like countersign.wallets,
        expires timestamptz not null,
        primary key (key, "user"),
        foreign key ("user") references "_User" ("objectId") on delete cascade
      );

      -- What happened to an account, for its owner and for the operator.
      create table countersign.activity (
        id text primary key,
        "user" text not null,
        action text not null,
        details jsonb not null,
        "ipAddress" text,
        "userAgent" text,
        at timestamptz(3) not null
      );
      create index activity_user on countersign.activity ("user", at desc);

      alter table "_Session" add column "_proof" bytea;
      -- When the user last showed a proof in this session: at its start, or by a step-up.
      alter table "_Session" add column "_confirmed" timestamptz(3);
      update "_Session" set "_confirmed" = "createdAt";
      alter table "_Session" alter column "_confirmed" set not null;
      drop trigger "countersign_tell" on "_Session";
      create trigger "countersign_tell" after delete or update of "expiresAt", "user", "_token_hash", "_confirmed" on "_Session"
        for each row execute function countersign.tell_session_ended();

      alter table "_User" add column "accounts" jsonb, add column "ethAddress" text, add column "solAccounts" jsonb, add column "solAddress" text;
      update countersign.classes set version = version + 1, fields = fields ||
        '[["accounts",{"type":"Array"}],["ethAddress",{"type":"String"}],["solAccounts",{"type":"Array"}],["solAddress",{"type":"String"}]]'
        where "className" = '_User';
    `,
}
