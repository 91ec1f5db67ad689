import type { Migration } from '../migrate.ts'

export const chainEvents: Migration = {
  name: '0210 chain events',
  sql: `
    -- Events of contracts that become objects of a class, from the configuration or by a request.
    create table countersign.chain_syncs (
      -- Chain and name.
      id text primary key,
      chain bigint not null,
      name text not null,
      "className" text not null,
      origin text not null check (origin in ('config', 'stored')),
      definition jsonb not null,
      -- Of the definition: another one is read again.
      hash text not null,
      -- The first block that is read, once it is known.
      start bigint,
      -- clear: its rows go first. new: nothing is planned yet. discover: contracts of its factory are looked for in
      -- older blocks. follow: all that is left is planned as work.
      phase text not null default 'new' check (phase in ('clear', 'new', 'discover', 'follow')),
      -- The first block whose events wait for the contracts to be found.
      pending_from bigint,
      -- Rows up to here are marked as confirmed.
      confirmed bigint not null default -1,
      -- Fields that hold wallets whose owners may read the row.
      owners text[] not null default '{}',
      error text,
      added timestamptz(3) not null
    );
    create index chain_syncs_chain on countersign.chain_syncs (chain);

    -- Contracts that a factory made, and where.
    create table countersign.chain_children (
      sync text not null references countersign.chain_syncs (id) on delete cascade,
      address text collate "C" not null,
      block bigint not null,
      primary key (sync, address)
    );
    create index chain_children_block on countersign.chain_children (sync, block);

    alter table countersign.chain_work add column syncs text[] not null default '{}';
    alter table countersign.chain_work drop constraint chain_work_kind_check;
    alter table countersign.chain_work add constraint chain_work_kind_check
      check (kind in ('all', 'contract', 'address', 'watched', 'transactions', 'events', 'factory'));

    create trigger "countersign_chain" after insert or update of phase or delete on countersign.chain_syncs
      for each statement execute function countersign.tell_wallets_changed();

    -- Addresses that code of the application asked to follow, besides those of users.
    create table countersign.chain_watched (
      chain bigint not null,
      address text collate "C" not null,
      added timestamptz(3) not null,
      primary key (chain, address)
    );
    create trigger "countersign_chain" after insert or delete on countersign.chain_watched
      for each statement execute function countersign.tell_wallets_changed();

    -- Wallets that were linked or unlinked: who may read the rows that name them is worked out again.
    create table countersign.sync_access (id uuid primary key default gen_random_uuid(), address text not null);
    create function countersign.note_sync_access() returns trigger language plpgsql as $$
    begin
      if not exists (select from countersign.chain_syncs where owners <> '{}') then return null; end if;
      if tg_op <> 'INSERT' then insert into countersign.sync_access (address) values (old.address); end if;
      if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.address <> old.address) then
        insert into countersign.sync_access (address) values (new.address);
      end if;
      perform pg_notify('countersign_chain', '');
      return null;
    end $$;
    create trigger "countersign_sync_access" after insert or delete or update of "user", address, provisional, chain_id
      on countersign.wallets for each row execute function countersign.note_sync_access();
  `,
}
