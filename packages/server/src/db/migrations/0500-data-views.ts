import type { Migration } from '../migrate.ts'

export const dataViews: Migration = {
  name: '0500 data views',
  sql: `
    -- Views of the console's data browser, shared by all operators.
    create table countersign.data_views (
      id text primary key,
      class_name text not null,
      name text not null,
      filter text not null,
      "order" text not null,
      hidden jsonb not null,
      changed timestamptz not null,
      by text not null,
      unique (class_name, name)
    );

    -- A later class of the same name starts without the views of the one before.
    create function countersign.drop_data_views() returns trigger language plpgsql as $$
    begin
      delete from countersign.data_views where class_name = old."className";
      return null;
    end $$;
    create trigger countersign_data_views after delete on countersign.classes for each row
      execute function countersign.drop_data_views();
  `,
}
