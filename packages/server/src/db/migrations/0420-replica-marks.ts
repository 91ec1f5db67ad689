import type { Migration } from '../migrate.ts'

export const replicaMarks: Migration = {
  name: '0420 replica marks',
  sql: `
    -- One row per server process, rewritten while it uses read replicas. A replica that shows a mark has everything
    -- that was committed before the mark was written.
    create table countersign.replica_marks (
      server uuid primary key,
      mark bigint not null,
      at timestamptz not null default clock_timestamp()
    ) with (fillfactor = 50);
  `,
}
