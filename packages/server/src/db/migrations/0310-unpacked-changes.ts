import type { Migration } from '../migrate.ts'

export const unpackedChanges: Migration = {
  name: '0310 unpacked changes',
  sql: `
    -- Pages of the log are measured by the stored size of their rows. Packed, a text of one letter takes a hundredth of
    -- what it takes in the memory of the server that reads it. Rows are kept for minutes, so they may take the room.
    alter table countersign.changes
      alter column before set storage external,
      alter column after set storage external;
  `,
}
