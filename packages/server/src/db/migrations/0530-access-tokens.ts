import type { Migration } from '../migrate.ts'

export const accessTokens: Migration = {
  name: '0530 access tokens',
  sql: `
    create table countersign.services (
      id text primary key,
      -- In access lists as service:<name>, so it never changes.
      name text not null,
      made_by text,
      created timestamptz(3) not null
    );
    create unique index services_name on countersign.services (lower(name));

    create table countersign.service_roles (
      service text not null references countersign.services (id) on delete cascade,
      role text not null,
      primary key (service, role)
    );

    -- Tokens with a scope: of persons, OAuth clients, service accounts and operators.
    create table countersign.access_tokens (
      id text primary key,
      hash bytea not null,
      kind text not null check (kind in ('personal', 'oauth', 'service', 'operator')),
      name text not null,
      "user" text references "_User" ("objectId") on delete cascade,
      service text references countersign.services (id) on delete cascade,
      client text,
      audience text,
      scopes text[] not null,
      addresses text[] not null default '{}',
      -- The last letters, for people to recognize it by.
      hint text not null,
      -- The operator who saw the secret; the token ends with that role. Null: made with the master key, or by its person.
      made_by text,
      -- The token that this one replaces: at most two of a line are valid.
      replaces text,
      created timestamptz(3) not null,
      expires timestamptz(3),
      last_used timestamptz(3),
      last_address text,
      check (("user" is not null) = (kind in ('personal', 'oauth'))),
      check ((service is not null) = (kind = 'service'))
    );
    create unique index access_tokens_hash on countersign.access_tokens (hash);
    create index access_tokens_user on countersign.access_tokens ("user", created);
    create index access_tokens_service on countersign.access_tokens (service);
    create index access_tokens_made_by on countersign.access_tokens (made_by) where made_by is not null;
    create index access_tokens_client on countersign.access_tokens (client) where client is not null;

    -- The channel of sessions: caches and live queries drop a token as they drop a session.
    create function countersign.tell_token_ended() returns trigger language plpgsql as $$
    begin
      perform pg_notify('countersign_sessions', encode(old.hash, 'base64'));
      return null;
    end $$;
    create trigger countersign_tell
      after delete or update of hash, "user", service, scopes, addresses, name, expires on countersign.access_tokens
      for each row execute function countersign.tell_token_ended();

    create function countersign.tell_service_roles() returns trigger language plpgsql as $$
    begin
      perform pg_notify('countersign_roles', '');
      return null;
    end $$;
    create trigger countersign_tell after insert or delete or update on countersign.service_roles
      for each statement execute function countersign.tell_service_roles();

    -- An operator knows the secrets of the tokens that they made: those end with the role of administrator.
    create function countersign.end_tokens_of_operator() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or new.role <> 'admin' then
        delete from countersign.access_tokens where made_by = old."user";
      end if;
      return null;
    end $$;
    create trigger countersign_end_tokens after delete or update of role on countersign.operators
      for each row execute function countersign.end_tokens_of_operator();
  `,
}
