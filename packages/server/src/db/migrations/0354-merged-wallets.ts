import type { Migration } from '../migrate.ts'

export const mergedWallets: Migration = {
  name: '0354 merged wallets',
  sql: `
    -- Wallets by which an account that was merged away can be brought back: those that moved with it, and those that
    -- had been unlinked from it and could return.
    create table countersign.merged_wallets (
      key text not null,
      merge text not null references countersign.merges ("objectId") on delete cascade,
      -- A contract account can change hands: it counts only while its last proof is known.
      is_contract boolean not null,
      primary key (key, merge)
    );
    create index merged_wallets_merge on countersign.merged_wallets (merge);
    insert into countersign.merged_wallets (key, merge, is_contract)
    select distinct w.key, m."objectId", w.chain_id is not null
    from countersign.merges m
    join (
      select key, "user", chain_id from countersign.wallets
      union all
      select key, "user", chain_id from countersign.unlinked_wallets
    ) w on w."user" = m."into"
    where m.undo is not null and m.undone is null;

    -- An account that has the name or the address already keeps it, whatever else changes.
    create or replace function countersign.refuse_reserved() returns trigger language plpgsql as $$
      begin
        if (tg_op = 'INSERT' or new."_username_key" is distinct from old."_username_key")
          and exists (select from countersign.reserved_names
            where kind = 'username' and key = new."_username_key" and "user" <> new."objectId") then
          raise exception 'reserved' using errcode = 'unique_violation', constraint = '_User_username';
        end if;
        if (tg_op = 'INSERT' or new."_email_key" is distinct from old."_email_key")
          and exists (select from countersign.reserved_names
            where kind = 'email' and key = new."_email_key" and "user" <> new."objectId") then
          raise exception 'reserved' using errcode = 'unique_violation', constraint = '_User_email';
        end if;
        return new;
      end
    $$;
  `,
}
