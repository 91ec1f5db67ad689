import type { Migration } from '../migrate.ts'

export const settings: Migration = {
  name: '0440 settings',
  sql: `
    -- Settings that operators change in the console, encrypted: some hold passwords.
    create table countersign.settings (
      name text primary key,
      value bytea not null,
      changed timestamptz not null,
      by text not null
    );
  `,
}
