import type { Migration } from '../migrate.ts'

export const files: Migration = {
  name: '0009 files',
  sql: `
    create table countersign.files (
      name text collate "C" primary key,
      type text not null,
      size bigint not null default 0,
      -- SHA-256 of the content; null while it is still coming in.
      digest bytea,
      metadata jsonb not null default '{}',
      tags jsonb not null default '{}',
      owner text,
      store text not null,
      ipfs text,
      created timestamptz(3) not null,
      -- A preview belongs to the image that it was made of.
      original text collate "C" references countersign.files (name) on delete cascade,
      edge integer
    );
    create index files_original on countersign.files (original) where original is not null;
    create index files_coming on countersign.files (created) where digest is null;

    create table countersign.file_chunks (
      name text collate "C" not null references countersign.files (name) on delete cascade,
      place integer not null,
      content bytea not null,
      primary key (name, place)
    );
    -- Most files are compressed already; trying again costs more than it saves.
    alter table countersign.file_chunks alter column content set storage external;
  `,
}
