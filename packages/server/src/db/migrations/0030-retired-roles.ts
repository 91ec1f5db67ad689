import type { Migration } from '../migrate.ts'

export const retiredRoles: Migration = {
  name: '0030 retired roles',
  sql: `
    -- Names that roles had once. Access lists may still name them, so clients do not get them again.
    create table countersign.retired_roles (name text collate "C" primary key, retired timestamptz(3) not null default now());

    create function countersign.retire_role() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or old."name" is distinct from new."name" then
        insert into countersign.retired_roles (name) select old."name" where old."name" is not null on conflict do nothing;
      end if;
      return null;
    end $$;
    -- By the database: however a role goes, its name is kept.
    create trigger "countersign_retire" after delete or update of "name" on "_Role"
      for each row execute function countersign.retire_role();
  `,
}
