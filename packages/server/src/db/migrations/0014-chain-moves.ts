import type { Migration } from '../migrate.ts'

export const chainMoves: Migration = {
  name: '0014 chain moves',
  sql: `
    -- Servers remember how far a chain is indexed: whatever changes that tells them to ask again.
    create function countersign.tell_chain_moved() returns trigger language plpgsql as $$
    begin
      perform pg_notify('countersign_chain_moved', '');
      return null;
    end $$;
    create trigger "countersign_moved" after update on countersign.chain_state
      for each row when (old.tip_hash is distinct from new.tip_hash) execute function countersign.tell_chain_moved();
    create trigger "countersign_begun" after insert or delete or truncate on countersign.chain_state
      for each statement execute function countersign.tell_chain_moved();
    create trigger "countersign_moved" after insert or update or delete or truncate on countersign.chain_sources
      for each statement execute function countersign.tell_chain_moved();
    create trigger "countersign_moved" after insert on countersign.chain_work
      for each statement execute function countersign.tell_chain_moved();
  `,
}
