import type { Migration } from '../migrate.ts'

export const triggerClasses: Migration = {
  name: '0380 trigger classes',
  sql: `
    -- The triggers of a class carry its name: in a partitioned table a row trigger runs on the part, whose name means
    -- nothing to a subscriber. Triggers made before have no argument; the topmost table is their class.
    create function countersign.class_of(table_id oid) returns text language sql stable as $$
      select relname::text from pg_class where oid = coalesce(pg_partition_root(table_id), table_id)
    $$;

    create or replace function countersign.log_change() returns trigger language plpgsql as $$
    declare
      of_class text := coalesce(tg_argv[0], countersign.class_of(tg_relid));
      own boolean := of_class like '\\_%';
    begin
      if tg_op = 'INSERT' then
        insert into countersign.changes (class_name, after)
        values (of_class, case when own then countersign.visible_row(to_jsonb(new)) else to_jsonb(new) end);
      elsif tg_op = 'DELETE' then
        insert into countersign.changes (class_name, before)
        values (of_class, case when own then countersign.visible_row(to_jsonb(old)) else to_jsonb(old) end);
      elsif new *<> old then
        insert into countersign.changes (class_name, before, after)
        values (of_class,
          case when own then countersign.visible_row(to_jsonb(old)) else to_jsonb(old) end,
          case when own then countersign.visible_row(to_jsonb(new)) else to_jsonb(new) end);
      end if;
      return null;
    end $$;

    create or replace function countersign.add_live_trigger(of_class text) returns boolean language plpgsql as $$
    begin
      if to_regclass(format('public.%I', of_class)) is null or exists (
        select from pg_trigger
        where tgname = 'countersign_live' and tgrelid = to_regclass(format('public.%I', of_class))
      ) then
        return false;
      end if;
      execute format('create trigger countersign_live after insert or update or delete on public.%I for each row
        when (current_setting(''countersign.quiet'', true) is distinct from ''on'')
        execute function countersign.log_change(%L)', of_class, of_class);
      return true;
    end $$;

    create or replace function countersign.tell_object() returns trigger language plpgsql as $$
    declare
      of_class text;
    begin
      if current_setting('countersign.quiet', true) = 'on' then return null; end if;
      of_class := coalesce(tg_argv[0], countersign.class_of(tg_relid));
      if tg_op = 'INSERT' then
        perform countersign.tell_event('object.created', of_class,
          jsonb_build_object('object', countersign.visible_row(to_jsonb(new))));
      elsif tg_op = 'DELETE' then
        perform countersign.tell_event('object.deleted', of_class,
          jsonb_build_object('object', countersign.visible_row(to_jsonb(old))));
      elsif new is distinct from old then
        perform countersign.tell_event('object.updated', of_class, jsonb_build_object(
          'object', countersign.visible_row(to_jsonb(new)), 'original', countersign.visible_row(to_jsonb(old))));
      end if;
      return null;
    end $$;

    create or replace function countersign.watch_class(of_class text) returns void language plpgsql as $$
    declare
      wanted boolean := of_class <> '_Session' and exists (
        select from countersign.webhooks w
        where countersign.hears(w, 'object.created', of_class) or countersign.hears(w, 'object.updated', of_class)
          or countersign.hears(w, 'object.deleted', of_class)
      );
      present boolean := exists (
        select from pg_trigger
        where tgname = 'countersign_webhooks' and tgrelid = to_regclass(format('public.%I', of_class))
      );
    begin
      if wanted and not present and to_regclass(format('public.%I', of_class)) is not null then
        execute format('create trigger countersign_webhooks after insert or update or delete on public.%I
          for each row execute function countersign.tell_object(%L)', of_class, of_class);
      elsif present and not wanted then
        execute format('drop trigger countersign_webhooks on public.%I', of_class);
      end if;
    end $$;
  `,
}
