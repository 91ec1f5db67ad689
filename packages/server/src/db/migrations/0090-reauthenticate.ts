import type { Migration } from '../migrate.ts'

export const reauthenticate: Migration = {
  name: '0090 reauthenticate',
  sql: `
    -- The action was called stepUp. Challenges under the old name are refused, and live for minutes only.
    update countersign.activity set action = 'reauthenticate' where action = 'stepUp';
  `,
}
