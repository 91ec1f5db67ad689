import type { Migration } from '../migrate.ts'

export const firstLink: Migration = {
  name: '0430 first link',
  sql: `
    -- The secret of the first link is derived from this value and the secret of the keys, so that every server can
    -- print the same link again. The value alone reveals nothing.
    alter table countersign.operator_links add column seed text;
  `,
}
