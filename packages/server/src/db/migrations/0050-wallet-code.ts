import type { Migration } from '../migrate.ts'

export const walletCode: Migration = {
  name: '0050 wallet code',
  sql: `
    -- SHA-256 of the code that a contract or delegated account had when it was last proven, in hex. Without it, and where
    -- the chain has another, the wallet opens no gate until it is proven again. Of key pairs there is none.
    alter table countersign.wallets add column code_hash text;
    alter table countersign.unlinked_wallets add column code_hash text;

    create function countersign.follow_wallet_code() returns trigger language plpgsql as $$
    begin
      if not exists (select from countersign.gates) then return null; end if;
      insert into countersign.gate_queue as known ("user") values (new."user")
        on conflict ("user") do update set version = default, due = '-infinity';
      perform pg_notify('countersign_gates', '');
      return null;
    end $$;
    create trigger "countersign_gates_code" after update of code_hash on countersign.wallets
      for each row when (old.code_hash is distinct from new.code_hash)
      execute function countersign.follow_wallet_code();
  `,
}
