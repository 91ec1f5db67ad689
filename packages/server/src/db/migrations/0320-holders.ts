import type { Migration } from '../migrate.ts'

export const holders: Migration = {
  name: '0320 holders',
  sql: `
    -- An undo ends what was added to the account since then: a thief adds sign-in methods first and changes the address
    -- last.
    alter table countersign.email_changes add column reaches timestamptz(3);
    update countersign.email_changes set reaches = changed;
    alter table countersign.email_changes alter column reaches set not null;

    -- The same for a wallet that was unlinked and returns by its own signature; null where it does not.
    alter table countersign.unlinked_wallets add column reaches timestamptz(3);

    -- Links that undo a merge without a session of the account that stayed.
    create table countersign.merge_links (
      hash bytea primary key,
      merge text not null references countersign.merges ("objectId") on delete cascade,
      expires timestamptz(3) not null
    );
    create index merge_links_merge on countersign.merge_links (merge);

    -- Names and addresses of accounts that an undo can bring back. Nobody else takes them meanwhile: neither to block
    -- the undo nor to receive what is meant for the owner.
    create table countersign.reserved_names (
      kind text not null check (kind in ('username', 'email')),
      key text not null,
      "user" text not null,
      expires timestamptz(3) not null,
      primary key (kind, key)
    );
    create index reserved_names_user on countersign.reserved_names ("user");

    create function countersign.refuse_reserved() returns trigger language plpgsql as $$
      begin
        if exists (select from countersign.reserved_names
          where kind = 'username' and key = new."_username_key" and "user" <> new."objectId") then
          raise exception 'reserved' using errcode = 'unique_violation', constraint = '_User_username';
        end if;
        if exists (select from countersign.reserved_names
          where kind = 'email' and key = new."_email_key" and "user" <> new."objectId") then
          raise exception 'reserved' using errcode = 'unique_violation', constraint = '_User_email';
        end if;
        return new;
      end
    $$;
    create trigger "countersign_reserved" before insert or update of "_username_key", "_email_key" on "_User"
      for each row execute function countersign.refuse_reserved();
  `,
}
