import type { Migration } from '../migrate.ts'

export const claimSigners: Migration = {
  name: '0352 claim signers',
  sql: `
    -- Address of the key that signed for a contract account, where the signature tells it: finds the claim of the same
    -- key among those of strangers. The column proof now holds what the last holder of any contract account signed.
    alter table countersign.wallets add column signer text;
    alter table countersign.unlinked_wallets add column signer text;
  `,
}
