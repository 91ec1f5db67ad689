import type { Migration } from '../migrate.ts'

export const filesByTime: Migration = {
  name: '0285 files by time',
  sql: `
    -- The console lists files, newest first.
    create index files_created on countersign.files (created, name) where digest is not null and original is null;
  `,
}
