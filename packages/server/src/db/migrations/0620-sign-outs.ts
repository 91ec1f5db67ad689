import type { Migration } from '../migrate.ts'

export const signOuts: Migration = {
  name: '0620 sign-outs of apps',
  sql: `
    -- Proofs of a session, for ID tokens: kinds of proofs, the first one first.
    alter table "_Session" add column "_methods" text[];

    -- Thumbprint of the key that a token is bound to by DPoP.
    alter table countersign.access_tokens add column jkt text;

    -- The account's session in which a session of the provider began. It ends with that one, by whatever ends it.
    alter table countersign.oidc_records add column session text;
    create index oidc_records_session on countersign.oidc_records (session) where session is not null;
    create function countersign.end_oidc_session() returns trigger language plpgsql as $$
    begin
      delete from countersign.oidc_records where session = old."objectId";
      return null;
    end $$;
    create trigger countersign_end_oidc after delete on "_Session"
      for each row execute function countersign.end_oidc_session();

    -- Ended sessions of the provider whose apps have to be notified.
    create table countersign.oidc_sign_outs (
      id bigint generated always as identity primary key,
      content bytea not null,
      due timestamptz not null default now(),
      created timestamptz not null default now()
    );
    create function countersign.note_oidc_sign_out() returns trigger language plpgsql as $$
    begin
      insert into countersign.oidc_sign_outs (content) values (old.content);
      perform pg_notify('countersign_sign_outs', '');
      return null;
    end $$;
    create trigger countersign_sign_out after delete on countersign.oidc_records
      for each row when (old.model = 'Session' and old.session is not null)
      execute function countersign.note_oidc_sign_out();
  `,
}
