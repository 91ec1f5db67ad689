import type { Migration } from '../migrate.ts'

export const documents: Migration = {
  name: '0007 documents',
  sql: `
    -- Null permissions: everyone may do what the access lists of the objects allow.
    alter table countersign.classes add column permissions jsonb, add column indexes jsonb not null default '[]';
    -- Dropped by the operator although the server cannot do without it: not shown while it is empty.
    alter table countersign.classes add column dropped boolean not null default false;

    -- A number is never given twice, not even after a rollback or for a class that is made anew: statements are
    -- prepared under it.
    create sequence countersign.class_versions start 1000;

    -- Texts of users compare byte by byte, as those of every class do: the same order on every machine, and an
    -- index serves prefixes too. Ids keep the collation of the database, so that they compare with each other.
    do $$
    declare field text;
    begin
      for field in select attname from pg_attribute
        where attrelid = '"_User"'::regclass and atttypid = 'text'::regtype and attname !~ '^_' and attname <> 'objectId'
      loop
        execute format('alter table "_User" alter column %I type text collate "C"', field);
      end loop;
    end $$;

    -- Texts without their accents, for text search.
    create function countersign.fold_text(value text) returns text language sql immutable strict parallel safe as $$
      select pg_catalog.regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g')
    $$;

    create table "_Role" (
      "objectId" text primary key,
      "createdAt" timestamptz(3) not null,
      "updatedAt" timestamptz(3) not null,
      "_rperm" text[],
      "_wperm" text[],
      "_nulls" text[],
      "name" text collate "C" not null
    );
    create unique index "_Role_name" on "_Role" ("name");
    create index "_Role_rperm" on "_Role" using gin ("_rperm");
    create index "_User_rperm" on "_User" using gin ("_rperm");
    create index "_User_public" on "_User" ("objectId") where "_rperm" is null;

    create table "_Join:users:_Role" (
      "owningId" text not null references "_Role" ("objectId") on delete cascade,
      "relatedId" text not null,
      primary key ("owningId", "relatedId")
    );
    create index "_Join:users:_Role_related" on "_Join:users:_Role" ("relatedId");
    create table "_Join:roles:_Role" (
      "owningId" text not null references "_Role" ("objectId") on delete cascade,
      "relatedId" text not null,
      primary key ("owningId", "relatedId")
    );
    create index "_Join:roles:_Role_related" on "_Join:roles:_Role" ("relatedId");

    insert into countersign.classes ("className", fields) values
      ('_Role', '[["name",{"type":"String"}],["users",{"type":"Relation","targetClass":"_User"}],["roles",{"type":"Relation","targetClass":"_Role"}]]');

    -- Whoever changes who holds a role, by whatever way, tells every server to forget what it cached.
    create function countersign.tell_roles_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('countersign_roles', '');
      return null;
    end $$;
    create trigger "countersign_tell" after insert or update or delete on "_Role"
      for each statement execute function countersign.tell_roles_changed();
    create trigger "countersign_tell" after insert or update or delete on "_Join:users:_Role"
      for each statement execute function countersign.tell_roles_changed();
    create trigger "countersign_tell" after insert or update or delete on "_Join:roles:_Role"
      for each statement execute function countersign.tell_roles_changed();

    -- Requests that were carried out, so that a client may repeat one whose answer was lost.
    create table countersign.requests (
      id bytea primary key,
      -- What was asked: the same id must not be used for anything else.
      fingerprint bytea not null,
      -- Sealed, since answers may hold what only their reader may see.
      answer bytea not null,
      expires timestamptz not null
    );
    create index requests_expires on countersign.requests (expires);

    -- What a merge of accounts changed in objects, so that an undo changes just that. "objectId": for relations the
    -- other end. had_both: the surviving account was named there already.
    create table countersign.merge_changes (
      merge text not null references countersign.merges ("objectId") on delete cascade,
      class_name text not null,
      field text not null,
      "objectId" text not null,
      had_both boolean not null
    );
    create index merge_changes_merge on countersign.merge_changes (merge);

    create table countersign.config (
      name text primary key,
      value jsonb not null,
      master_only boolean not null default false
    );
  `,
}
