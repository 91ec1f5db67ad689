import type { Migration } from '../migrate.ts'

export const oidc: Migration = {
  name: '0600 OpenID provider',
  sql: `
    -- Applications that sign people in with an account of this server.
    create table countersign.oidc_clients (
      id text primary key,
      name text not null,
      -- Metadata of OpenID Connect, without the secret.
      metadata jsonb not null,
      secret_hash bytea,
      is_trusted boolean not null,
      -- By registration, not by an operator.
      is_registered boolean not null,
      created timestamptz not null,
      changed timestamptz not null
    );

    -- Codes, tokens, grants and sessions of the provider. An id is a secret: its hash is stored, and the content encrypted.
    create table countersign.oidc_records (
      model text not null,
      id bytea not null,
      content bytea not null,
      expires timestamptz,
      used timestamptz,
      created timestamptz not null default now(),
      -- Hashes of the grant, and of the other id by which a session or a device code is found.
      grant_id bytea,
      other_id bytea,
      client text,
      "user" text references "_User" ("objectId") on delete cascade,
      -- Of a grant: the client as the user saw it, the scopes, and its last use.
      client_digest bytea,
      scopes text[],
      last_used timestamptz,
      primary key (model, id)
    );
    create index oidc_records_grant on countersign.oidc_records (grant_id) where grant_id is not null;
    create index oidc_records_other on countersign.oidc_records (model, other_id) where other_id is not null;
    create index oidc_records_user on countersign.oidc_records ("user") where "user" is not null;
    create index oidc_records_expires on countersign.oidc_records (expires) where expires is not null;
    -- A token of our own API is found by its hash in access_tokens, and ends with its record.
    create function countersign.end_token_of_record() returns trigger language plpgsql as $$
    begin
      delete from countersign.access_tokens where hash = old.id;
      return null;
    end $$;
    create trigger countersign_end_token after delete on countersign.oidc_records
      for each row when (old.model = 'AccessToken') execute function countersign.end_token_of_record();
    create unique index oidc_records_app on countersign.oidc_records ("user", client) where model = 'Grant';

    -- Keys that sign ID tokens. The newest signs; older ones verify until they are deleted.
    create table countersign.oidc_keys (
      kid text primary key,
      key bytea not null,
      created timestamptz not null,
      retired timestamptz
    );
  `,
}
