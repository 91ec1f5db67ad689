import type { Migration } from '../migrate.ts'

export const liveHistories: Migration = {
  name: '0390 live histories',
  sql: `
    -- Positions of the log carry a name. The nonce makes it differ where the database does not: two standbys that were
    -- promoted from the same primary have the same system identifier and timeline.
    alter table countersign.live_state add column nonce text not null default gen_random_uuid()::text;

    -- Earlier histories that the present one continues, each up to the mark that a server found intact after a
    -- promotion. A row is proof of itself: where it is present, everything before it in the write-ahead log is, too.
    create table countersign.live_continued (
      history text not null,
      reached text not null,
      at timestamptz not null default clock_timestamp(),
      primary key (history, reached)
    );
  `,
}
