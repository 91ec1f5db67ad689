import type { Migration } from '../migrate.ts'

export const imports: Migration = {
  name: '0100 imports',
  sql: `
    -- How far each part of an import has come. Written in the transaction of the objects themselves, so that an import
    -- that was killed goes on where it was.
    create table countersign.imports (
      source text not null,
      unit text not null,
      -- Another size is another file: it is read from its beginning.
      size bigint not null,
      position text,
      read bigint not null default 0,
      written bigint not null default 0,
      present bigint not null default 0,
      refused bigint not null default 0,
      finished timestamptz(3),
      primary key (source, unit)
    );

    -- What did not come over as it was, for the report.
    create table countersign.import_notes (
      source text not null,
      unit text not null,
      sentence text not null,
      example text,
      count bigint not null default 1,
      primary key (source, unit, sentence)
    );

    -- Which user a dump names as the owner of a wallet. Who gets it is decided once all users are there.
    create table countersign.import_claims (
      source text not null,
      key text not null,
      "user" text not null,
      namespace text not null,
      address text not null,
      -- How good the word of the dump is: 3 where the older server checked a signature, 1 for a plain field.
      strength smallint not null,
      linked timestamptz(3) not null,
      primary key (source, key, "user")
    );

    -- Files that imported objects name and that are still to be fetched.
    create table countersign.import_files (
      source text not null,
      name text not null,
      -- What the source calls it.
      origin text not null,
      url text,
      primary key (source, name)
    );

    -- Sign-in methods of other providers, as the dump had them: only who was known to whom, no token.
    create table countersign.imported_identities (
      provider text not null,
      id text not null,
      "user" text not null references "_User" ("objectId") on delete cascade,
      primary key (provider, id)
    );
    create index imported_identities_user on countersign.imported_identities ("user");

    -- Set while nobody has proven the wallet here: it opens its account by a fresh signature, and no gate before that.
    alter table countersign.wallets add column imported timestamptz(3);
    alter table countersign.unlinked_wallets add column imported timestamptz(3);
    create trigger "countersign_gates_imported" after update of imported on countersign.wallets
      for each row when (old.imported is distinct from new.imported)
      execute function countersign.follow_wallet_code();

    -- Whether any password is still kept as bcrypt: then every check costs the same, with or without it.
    create index "_User_bcrypt" on "_User" ("objectId") where "_password_hash" like '$2%';

    -- Backups that servers made by themselves, so that of several one makes the next.
    create table countersign.backups (
      name text primary key,
      started timestamptz(3) not null,
      finished timestamptz(3),
      bytes bigint,
      sha256 text,
      place text not null,
      error text
    );
    create index backups_started on countersign.backups (started desc);
  `,
}
