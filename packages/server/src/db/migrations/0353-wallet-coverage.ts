import type { Migration } from '../migrate.ts'

export const walletCoverage: Migration = {
  name: '0353 wallet coverage',
  sql: `
    -- Servers remember whose wallet an address is, with how far it is indexed: answers of the index depend on it.
    create trigger "countersign_moved" after insert or delete or truncate or
      update of "user", address, provisional, chain_id
      on countersign.wallets for each statement execute function countersign.tell_chain_moved();
  `,
}
