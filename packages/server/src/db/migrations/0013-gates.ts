import type { Migration } from '../migrate.ts'

export const gates: Migration = {
  name: '0013 gates',
  sql: `
    -- What a wallet must hold for its user to hold a role.
    create table countersign.gates (
      "objectId" text primary key,
      role text not null references "_Role" ("objectId") on delete cascade,
      chain bigint not null,
      kind text not null check (kind in ('native', 'erc20', 'erc721', 'erc1155')),
      token text collate "C",
      id numeric,
      amount numeric not null check (amount > 0),
      "createdAt" timestamptz(3) not null,
      -- When every wallet is looked at again, and when that was last done to the end.
      due timestamptz not null default '-infinity',
      checked timestamptz(3),
      block bigint,
      error text
    );
    create index gates_role on countersign.gates (role);
    create index gates_token on countersign.gates (chain, token);

    -- Which wallet was last seen to hold enough, at which block. A row stays when it holds no longer: what was read of an
    -- earlier block must not bring it back.
    create table countersign.gate_holders (
      gate text not null references countersign.gates ("objectId") on delete cascade,
      wallet text not null references countersign.wallets (key) on delete cascade,
      held boolean not null,
      amount numeric not null,
      block bigint not null,
      seen timestamptz(3) not null,
      primary key (gate, wallet)
    );
    create index gate_holders_wallet on countersign.gate_holders (wallet);

    -- Users whose wallets are to be looked at soon. A new version means: again, whatever is under way.
    create table countersign.gate_queue (
      "user" text primary key,
      version bigint generated always as identity,
      due timestamptz not null default '-infinity'
    );

    -- How far the transfers of each chain were followed for gates.
    create table countersign.gate_chains (chain bigint primary key, tip bigint not null, hash text not null);

    -- Members that a gate put there. Nobody's hand-made membership is touched by a gate.
    alter table "_Join:users:_Role" add column "_gated" boolean not null default false;

    create function countersign.keep_made_by_hand() returns trigger language plpgsql as $$
    begin
      update public."_Join:users:_Role" set "_gated" = false
        where "owningId" = new."owningId" and "relatedId" = new."relatedId" and "_gated";
      return new;
    end $$;
    -- Before, since an insert that meets the row of a gate leaves no other trace.
    create trigger "countersign_gates" before insert on "_Join:users:_Role"
      for each row when (not new."_gated") execute function countersign.keep_made_by_hand();

    -- Members as the holders say, for some users or roles, or for all. Statements run only where they change something:
    -- each makes every server forget all roles that it knows. Answers how many memberships came or went.
    create function countersign.refresh_gated(of_users text[], of_roles text[]) returns integer language plpgsql as $$
    declare
      lost text[][];
      found_new text[][];
    begin
      select array_agg(array[j."owningId", j."relatedId"]) into lost from public."_Join:users:_Role" j
        where j."_gated" and (of_users is null or j."relatedId" = any(of_users))
          and (of_roles is null or j."owningId" = any(of_roles))
          and not exists (
            select from countersign.gates g
              join countersign.gate_holders h on h.gate = g."objectId" and h.held
              join countersign.wallets w on w.key = h.wallet
            where g.role = j."owningId" and w."user" = j."relatedId");
      select array_agg(array[role, "user"]) into found_new from (
        select distinct g.role, w."user" from countersign.wallets w
          join countersign.gate_holders h on h.wallet = w.key and h.held
          join countersign.gates g on g."objectId" = h.gate
        where (of_users is null or w."user" = any(of_users)) and (of_roles is null or g.role = any(of_roles))
          and not exists (select from public."_Join:users:_Role" j
            where j."owningId" = g.role and j."relatedId" = w."user")) wanted;
      if lost is not null then
        delete from public."_Join:users:_Role" j
          using unnest(lost[:][1:1], lost[:][2:2]) as gone (role, member)
          where j."owningId" = gone.role and j."relatedId" = gone.member and j."_gated";
      end if;
      if found_new is not null then
        insert into public."_Join:users:_Role" ("owningId", "relatedId", "_gated")
          select role, member, true from unnest(found_new[:][1:1], found_new[:][2:2]) as come (role, member)
          on conflict do nothing;
      end if;
      return coalesce(array_length(lost, 1), 0) + coalesce(array_length(found_new, 1), 0);
    end $$;

    -- An unlinked wallet opens nothing from that moment on; a merged one does so for its new user.
    create function countersign.follow_wallet() returns trigger language plpgsql as $$
    begin
      if not exists (select from countersign.gates) then return null; end if;
      if tg_op = 'INSERT' then
        insert into countersign.gate_queue as known ("user") values (new."user")
          on conflict ("user") do update set version = default, due = '-infinity';
        perform pg_notify('countersign_gates', '');
      elsif tg_op = 'DELETE' then
        perform countersign.refresh_gated(array[old."user"], null);
      else
        perform countersign.refresh_gated(array[old."user", new."user"], null);
      end if;
      return null;
    end $$;
    create trigger "countersign_gates" after insert or delete or update of "user" on countersign.wallets
      for each row execute function countersign.follow_wallet();

    -- Transfers from before an address was followed are written down without their time being seen.
    create function countersign.follow_source() returns trigger language plpgsql as $$
    begin
      if not exists (select from countersign.gates where chain = new.chain) then return null; end if;
      insert into countersign.gate_queue as known ("user")
        select distinct "user" from countersign.wallets
        where key in ('eip155:' || new.address, 'eip155:' || new.chain || ':' || new.address)
        on conflict ("user") do update set version = default, due = '-infinity';
      perform pg_notify('countersign_gates', '');
      return null;
    end $$;
    create trigger "countersign_gates" after insert on countersign.chain_sources
      for each row when (new.kind = 'address') execute function countersign.follow_source();

    create function countersign.tell_gates_of_chain() returns trigger language plpgsql as $$
    begin
      if exists (select from countersign.gates where chain = new.chain) then
        perform pg_notify('countersign_gates', '');
      end if;
      return null;
    end $$;
    create trigger "countersign_gates" after insert or update of tip_hash on countersign.chain_state
      for each row execute function countersign.tell_gates_of_chain();
  `,
}
