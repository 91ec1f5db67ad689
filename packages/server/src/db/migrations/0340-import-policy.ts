import type { Migration } from '../migrate.ts'

export const importPolicy: Migration = {
  name: '0340 import policy',
  sql: `
    -- Rows that an import under way has inserted. Only they get sign-in methods, sessions and links from its dump.
    create table countersign.import_rows (
      source text not null,
      class text not null,
      id text not null,
      at timestamptz(3) not null default now(),
      primary key (source, class, id)
    );

    -- Ids that users had once. Access lists, roles and pointers may still name them, so no account gets them again.
    create table countersign.retired_users (
      id text collate "C" primary key,
      retired timestamptz(3) not null default now()
    );
    insert into countersign.retired_users (id)
    select subject from countersign.audit
    where action in ('account.deleteAccount', 'account.mergedInto')
    union
    select "relatedId" from "_Join:users:_Role"
    except
    select "objectId" from "_User";

    create function countersign.retire_user() returns trigger language plpgsql as $$
    begin
      insert into countersign.retired_users (id) values (old."objectId") on conflict do nothing;
      return null;
    end $$;
    -- By the database: however an account goes, its id is kept.
    create trigger "countersign_retire" after delete on "_User"
      for each row execute function countersign.retire_user();

    create function countersign.refuse_retired_user() returns trigger language plpgsql as $$
    begin
      if exists (select from countersign.retired_users where id = new."objectId") then
        raise unique_violation using message = 'The id belonged to an account that was deleted.',
          table = '_User', constraint = '_User_pkey';
      end if;
      return new;
    end $$;
    create trigger "countersign_retired" before insert on "_User"
      for each row execute function countersign.refuse_retired_user();
  `,
}
