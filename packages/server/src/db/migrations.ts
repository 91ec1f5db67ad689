import type { Migration } from './migrate.ts'
import { merges } from './migrations/0005-merges.ts'
import { passkeys } from './migrations/0006-passkeys.ts'
import { documents } from './migrations/0007-documents.ts'
import { functions } from './migrations/0008-functions.ts'
import { files } from './migrations/0009-files.ts'
import { anonymousUsers } from './migrations/0010-anonymous-users.ts'
import { live } from './migrations/0011-live.ts'
import { chain } from './migrations/0012-chain.ts'
import { gates } from './migrations/0013-gates.ts'
import { chainMoves } from './migrations/0014-chain-moves.ts'
import { recovery } from './migrations/0015-recovery.ts'
import { retiredRoles } from './migrations/0030-retired-roles.ts'
import { changeOfAddress } from './migrations/0031-change-of-address.ts'
import { walletCode } from './migrations/0050-wallet-code.ts'
import { provisionalWallets } from './migrations/0060-provisional-wallets.ts'
import { accountDeletion } from './migrations/0070-account-deletion.ts'

/**
 * The tables that the server starts with, in order. A migration that has landed is never edited.
 * Classes of the application lie in `public`, one table each; what is the server's own lies in `countersign`.
 */
export const migrations: Migration[] = [
  {
    name: '0001 classes',
    sql: `
      create table countersign.classes (
        "className" text primary key,
        fields jsonb not null,
        version integer not null default 1
      );

      create function countersign.json_list(base jsonb) returns jsonb language plpgsql immutable as $$
      begin
        if base is null or base = 'null' then return '[]'; end if;
        if jsonb_typeof(base) <> 'array' then
          raise exception 'This field is not an Array.' using errcode = 'CS111';
        end if;
        return base;
      end $$;

      create function countersign.list_add_unique(base jsonb, items jsonb) returns jsonb language sql immutable as $$
        select countersign.json_list(base) || coalesce((
          select jsonb_agg(item order by place) from (
            select item, min(place) as place
            from jsonb_array_elements(items) with ordinality as added (item, place)
            where not exists (select from jsonb_array_elements(countersign.json_list(base)) as present (item) where present.item = added.item)
            group by item
          ) as fresh
        ), '[]')
      $$;

      create function countersign.list_remove(base jsonb, items jsonb) returns jsonb language sql immutable as $$
        select coalesce((
          select jsonb_agg(present.item order by place)
          from jsonb_array_elements(countersign.json_list(base)) with ordinality as present (item, place)
          where not exists (select from jsonb_array_elements(items) as removed (item) where removed.item = present.item)
        ), '[]')
      $$;

      create function countersign.json_increment(base jsonb, amount double precision) returns jsonb language plpgsql immutable as $$
      begin
        if base is null or base = 'null' then return to_jsonb(amount); end if;
        if jsonb_typeof(base) <> 'number' then
          raise exception 'Only a Number can be incremented.' using errcode = 'CS111';
        end if;
        return to_jsonb(base::double precision + amount);
      end $$;

      create function countersign.json_put(base jsonb, path text[], value jsonb) returns jsonb language plpgsql immutable as $$
      begin
        if cardinality(path) = 0 then return value; end if;
        if jsonb_typeof(base) = 'array' and path[1] ~ '^[0-9]{1,6}$' then
          return jsonb_set(base, path[1:1], countersign.json_put(base -> path[1]::integer, path[2:], value));
        end if;
        if base is null or jsonb_typeof(base) <> 'object' then base := '{}'; end if;
        return base || jsonb_build_object(path[1], countersign.json_put(base -> path[1], path[2:], value));
      end $$;
    `,
  },
  {
    name: '0002 users and sessions',
    sql: `
      create table "_User" (
        "objectId" text primary key,
        "createdAt" timestamptz(3) not null,
        "updatedAt" timestamptz(3) not null,
        "_rperm" text[],
        "_wperm" text[],
        "_nulls" text[],
        "username" text not null,
        "email" text,
        "emailVerified" boolean,
        "_password_hash" text,
        -- Names are one person's without regard to case or to look-alike code points.
        "_username_key" text not null,
        "_email_key" text,
        -- Lets a sign-up whose answer was lost be repeated by the same client.
        "_sign_up_request" text
      );
      create unique index "_User_username" on "_User" ("_username_key");
      create unique index "_User_email" on "_User" ("_email_key");

      create table "_Session" (
        "objectId" text primary key,
        "createdAt" timestamptz(3) not null,
        "updatedAt" timestamptz(3) not null,
        "_rperm" text[],
        "_wperm" text[],
        "_nulls" text[],
        "_token_hash" bytea not null,
        "user" text not null references "_User" ("objectId") on delete cascade,
        "expiresAt" timestamptz(3) not null,
        "createdWith" jsonb not null,
        "installationId" text,
        "userAgent" text,
        "ipAddress" text,
        "lastUsedAt" timestamptz(3)
      );
      create unique index "_Session_token" on "_Session" ("_token_hash");
      create index "_Session_user" on "_Session" ("user", "installationId");

      insert into countersign.classes ("className", fields) values
        ('_User', '[["username",{"type":"String"}],["email",{"type":"String"}],["emailVerified",{"type":"Boolean"}]]'),
        ('_Session', '[["user",{"type":"Pointer","targetClass":"_User"}],["expiresAt",{"type":"Date"}],["createdWith",{"type":"Object"}],["installationId",{"type":"String"}],["userAgent",{"type":"String"}],["ipAddress",{"type":"String"}],["lastUsedAt",{"type":"Date"}]]');

      -- Whoever changes a user or ends a session, by whatever way, tells every server to forget what it cached.
      create function countersign.tell_user_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('countersign_users', coalesce(old."objectId", ''));
        return null;
      end $$;
      create trigger "countersign_tell" after update or delete on "_User"
        for each row execute function countersign.tell_user_changed();

      create function countersign.tell_session_ended() returns trigger language plpgsql as $$
      begin
        perform pg_notify('countersign_sessions', encode(old."_token_hash", 'base64'));
        return null;
      end $$;
      create trigger "countersign_tell" after delete or update of "expiresAt", "user", "_token_hash" on "_Session"
        for each row execute function countersign.tell_session_ended();
    `,
  },
  {
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
  },
  {
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
  },
  merges,
  passkeys,
  documents,
  functions,
  files,
  anonymousUsers,
  live,
  chain,
  gates,
  chainMoves,
  recovery,
  retiredRoles,
  changeOfAddress,
  walletCode,
  provisionalWallets,
  accountDeletion,
]
