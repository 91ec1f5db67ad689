import type { Migration } from '../migrate.ts'

export const limits: Migration = {
  name: '0400 limits',
  sql: `
    -- Windows of rate limits that several processes share, by the hash of rule and caller. Times in ms by the clock of
    -- the database. Unlogged: a crash empties the table, which opens new windows; in return a lease waits for no disk.
    create unlogged table countersign.limit_windows (
      key text primary key,
      began bigint not null,
      ends bigint not null,
      -- A window longer than it lasts: the next one must not begin before its end.
      kept_until bigint not null,
      -- Allowed by processes, or leased by them.
      taken bigint not null,
      -- Processes that have leased a share.
      holders bigint not null,
      granted bigint not null,
      pool bigint not null
    ) with (fillfactor = 70);
    create index limit_windows_kept_until on countersign.limit_windows (kept_until);

    create unlogged table countersign.limit_processes (
      id uuid primary key,
      seen timestamptz not null
    );
  `,
}
