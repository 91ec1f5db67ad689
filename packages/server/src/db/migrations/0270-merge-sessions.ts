import type { Migration } from '../migrate.ts'

export const mergeSessions: Migration = {
  name: '0270 merge sessions',
  sql: `
    -- In place of a wallet: the session that a sign-in to the other account opened. It must be there when the merge is
    -- carried out.
    alter table countersign.merges alter column wallet drop not null, add column session text,
      add check (wallet is not null or session is not null);
  `,
}
