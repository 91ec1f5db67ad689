import type { Migration } from '../migrate.ts'

export const chain: Migration = {
  name: '0012 chain',
  sql: `
    -- Classes that the indexer made. One that the application made is not written into.
    create table countersign.chain_classes ("className" text primary key);

    -- How far each chain was followed. Whatever moves the tip moves it from the hash that it knows: of two that follow
    -- the same chain, one is refused and undone.
    create table countersign.chain_state (
      chain bigint primary key,
      tip bigint not null,
      tip_hash text not null,
      tip_time timestamptz(3) not null,
      head bigint not null,
      finalized bigint not null,
      -- When what is wanted was last compared with what is followed; before that nobody knows what is lacking.
      planned timestamptz(3),
      runner text,
      lease_until timestamptz,
      error text,
      updated timestamptz(3) not null
    );

    -- Blocks that may still be undone, and some below them.
    create table countersign.chain_blocks (
      chain bigint not null,
      number bigint not null,
      hash text not null,
      time timestamptz(3) not null,
      primary key (chain, number)
    );

    -- What is followed: the whole chain (with an empty address), contracts, addresses.
    create table countersign.chain_sources (
      chain bigint not null,
      kind text not null check (kind in ('all', 'contract', 'address')),
      address text collate "C" not null,
      start bigint not null,
      added timestamptz(3) not null,
      primary key (chain, address, kind)
    );

    -- Stretches of final blocks that are to be read. Next moves in the transaction that writes what was read.
    create table countersign.chain_work (
      id bigint generated always as identity primary key,
      chain bigint not null,
      -- watched: every transfer is asked for, and what concerns no source is left out.
      -- transactions: whole blocks are read, for the transactions of these addresses, or of all that are followed.
      kind text not null check (kind in ('all', 'contract', 'address', 'watched', 'transactions')),
      addresses text[] not null,
      first bigint not null,
      next bigint not null,
      last bigint not null,
      due timestamptz not null default '-infinity',
      runner text,
      lease_until timestamptz,
      failures integer not null default 0,
      error text,
      ended timestamptz(3)
    );
    create index chain_work_open on countersign.chain_work (chain, first, id) where next <= last;
    create index chain_work_chain on countersign.chain_work (chain);

    -- What was read in slots of ten seconds, for an estimate of the time left.
    create table countersign.chain_progress (
      chain bigint not null,
      slot timestamptz not null,
      blocks bigint not null,
      transfers bigint not null,
      primary key (chain, slot)
    );

    -- Who holds how much of what: the sum of all transfers that are kept. Adding up needs no order, and what is undone
    -- is subtracted. Without a limit of digits: a contract may tell of any amounts.
    create table countersign.chain_holdings (
      chain bigint not null,
      token text collate "C" not null,
      id numeric not null,
      owner text collate "C" not null,
      kind text not null,
      amount numeric not null,
      block bigint not null,
      primary key (chain, token, id, owner)
    );
    create index chain_holdings_owner on countersign.chain_holdings (chain, owner, token, id) where amount > 0;

    -- Which ERC-20 tokens an address ever had to do with.
    create table countersign.chain_touched (
      chain bigint not null,
      owner text collate "C" not null,
      token text collate "C" not null,
      primary key (chain, owner, token)
    );

    create table countersign.chain_tokens (
      chain bigint not null,
      token text collate "C" not null,
      kind text,
      name text,
      symbol text,
      decimals integer,
      read timestamptz(3) not null,
      primary key (chain, token)
    );
    create index chain_tokens_symbol on countersign.chain_tokens (chain, upper(symbol) collate "C");

    create table countersign.chain_nfts (
      chain bigint not null,
      token text collate "C" not null,
      id numeric not null,
      uri text,
      uri_read timestamptz(3),
      metadata jsonb,
      metadata_read timestamptz(3),
      error text,
      primary key (chain, token, id)
    );

    -- Transactions of the addresses that are followed.
    create table countersign.chain_transactions (
      chain bigint not null,
      block bigint not null,
      index integer not null,
      hash text not null,
      block_hash text not null,
      time timestamptz(3) not null,
      "from" text collate "C" not null,
      "to" text collate "C",
      value numeric not null,
      nonce numeric not null,
      gas numeric not null,
      gas_price numeric not null,
      input text not null,
      status integer,
      gas_used numeric,
      cumulative_gas_used numeric,
      contract text,
      primary key (chain, block, index)
    );
    create index chain_transactions_from on countersign.chain_transactions ("from", chain, block desc, index desc);
    create index chain_transactions_to on countersign.chain_transactions ("to", chain, block desc, index desc);
    create index chain_transactions_contract on countersign.chain_transactions (contract, chain, block desc, index desc)
      where contract is not null;
    create index chain_transactions_hash on countersign.chain_transactions (hash);

    -- As before, but in silence where old blocks are read: what happened long ago is no event.
    create or replace function countersign.tell_object() returns trigger language plpgsql as $$
    begin
      if current_setting('countersign.quiet', true) = 'on' then return null; end if;
      if tg_op = 'INSERT' then
        perform countersign.tell_event('object.created', tg_table_name,
          jsonb_build_object('object', countersign.visible_row(to_jsonb(new))));
      elsif tg_op = 'DELETE' then
        perform countersign.tell_event('object.deleted', tg_table_name,
          jsonb_build_object('object', countersign.visible_row(to_jsonb(old))));
      elsif new is distinct from old then
        perform countersign.tell_event('object.updated', tg_table_name, jsonb_build_object(
          'object', countersign.visible_row(to_jsonb(new)), 'original', countersign.visible_row(to_jsonb(old))));
      end if;
      return null;
    end $$;

    -- A wallet that was linked is to be followed.
    create function countersign.tell_wallets_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('countersign_chain', '');
      return null;
    end $$;
    create trigger "countersign_chain" after insert or delete on countersign.wallets
      for each statement execute function countersign.tell_wallets_changed();
  `,
}
