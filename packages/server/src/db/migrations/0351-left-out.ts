import type { Migration } from '../migrate.ts'

export const leftOut: Migration = {
  name: '0351 left out',
  sql: `
    -- Events that were left out since the first one was read, because the server refuses their values.
    alter table countersign.chain_syncs add column left_out integer not null default 0;
    alter table countersign.chain_states add column left_out integer not null default 0;
  `,
}
