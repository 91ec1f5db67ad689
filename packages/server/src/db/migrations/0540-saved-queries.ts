import type { Migration } from '../migrate.ts'

export const savedQueries: Migration = {
  name: '0540 saved queries',
  sql: `
    -- Queries of the console's SQL editor, shared by all administrators.
    create table countersign.saved_queries (
      id text primary key,
      name text not null unique,
      query text not null,
      chart boolean not null,
      changed timestamptz not null,
      by text not null
    );
  `,
}
