import type { Migration } from '../migrate.ts'

export const lapsedWallets: Migration = {
  name: '0355 lapsed wallets',
  sql: `
    -- Since when the proof of a contract account is known to hold no longer: its code changed, or no longer accepts what
    -- its user signed. Until it is proven again its user reads nothing by it that the chain tells.
    alter table countersign.wallets add column lapsed timestamptz;
    alter table countersign.unlinked_wallets add column lapsed timestamptz;
    create trigger "countersign_sync_access_lapsed" after update of lapsed on countersign.wallets
      for each row when (old.lapsed is distinct from new.lapsed) execute function countersign.note_sync_access();
    create trigger "countersign_moved_lapsed" after update of lapsed on countersign.wallets
      for each row when (old.lapsed is distinct from new.lapsed) execute function countersign.tell_chain_moved();
  `,
}
