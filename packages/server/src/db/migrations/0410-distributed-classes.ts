import type { Migration } from '../migrate.ts'

export const distributedClasses: Migration = {
  name: '0410 distributed classes',
  sql: `
    -- Tables of the classes that Citus spreads over several servers. Apart from the others: a statement that was written
    -- for a local table finds none here, so no server that missed the change writes past the log.
    create schema if not exists countersign_shards;

    alter table countersign.classes add column distributed boolean not null default false;

    -- Of a distributed class: changes are in the log since then. A local class has a trigger instead.
    alter table countersign.live_classes add column logged boolean not null default false;

    -- Always empty. In the catalog of Citus a statement on it makes the commit two-phase, so that the rows of a worker
    -- and those of this server are stored together or not at all.
    create table countersign.two_phase (id integer primary key);

    -- Opens a write to a distributed class, which has no triggers. Returns true if the change has to be logged.
    -- Watchers wait for the lock: a write that found none ends before their first position.
    create function countersign.begin_write(of_class text, notes text, with_others boolean) returns boolean
    language plpgsql as $$
    declare
      watched boolean;
    begin
      perform pg_advisory_xact_lock_shared(hashtext('countersign:write'), hashtext(of_class));
      -- The table of notes says that the class is being copied. The list of copies may be locked for long.
      watched := to_regclass(format('countersign_parts.%I', notes)) is not null
        or (current_setting('countersign.quiet', true) is distinct from 'on' and (
          exists (select from countersign.live_classes where class_name = of_class)
          or exists (
            select from countersign.webhooks w
            where countersign.hears(w, 'object.created', of_class) or countersign.hears(w, 'object.updated', of_class)
              or countersign.hears(w, 'object.deleted', of_class))));
      if watched or with_others then
        delete from countersign.two_phase where id = 0;
      end if;
      return watched;
    end $$;

    -- Logs the changes of a write, as the triggers of a local class do: lists of rows before and after it.
    create function countersign.log_write(of_class text, before jsonb, after jsonb, notes text) returns void
    language plpgsql as $$
    declare
      change record;
    begin
      if to_regclass(format('countersign_parts.%I', notes)) is not null then
        execute format('insert into countersign_parts.%I ("objectId")
          select distinct item ->> ''objectId'' from jsonb_array_elements($1) item', notes) using before || after;
      end if;
      if current_setting('countersign.quiet', true) = 'on' then return; end if;
      for change in
        select b.item as old, a.item as new
        from jsonb_array_elements(before) with ordinality b (item, place)
        full join jsonb_array_elements(after) with ordinality a (item, place)
          on a.item ->> 'objectId' = b.item ->> 'objectId'
        where a.item is distinct from b.item
        order by coalesce(a.place, b.place)
      loop
        insert into countersign.changes (class_name, before, after)
        select of_class, change.old, change.new
        where exists (select from countersign.live_classes where class_name = of_class);
        if change.old is null then
          perform countersign.tell_event('object.created', of_class,
            jsonb_build_object('object', countersign.visible_row(change.new)));
        elsif change.new is null then
          perform countersign.tell_event('object.deleted', of_class,
            jsonb_build_object('object', countersign.visible_row(change.old)));
        else
          perform countersign.tell_event('object.updated', of_class, jsonb_build_object(
            'object', countersign.visible_row(change.new), 'original', countersign.visible_row(change.old)));
        end if;
      end loop;
    end $$;

    -- A list without other elements than the allowed ones. Citus knows no such condition as a subquery.
    create function countersign.list_within(list jsonb, allowed jsonb[]) returns boolean language plpgsql immutable as $$
    begin
      if jsonb_typeof(list) is distinct from 'array' then return false; end if;
      return not exists (select from jsonb_array_elements(list) as e (v) where not e.v = any(allowed));
    end $$;

    -- A value at the path that points to one of the objects. Citus takes no subquery inside of another that reads lists.
    create function countersign.some_pointer(base jsonb, path jsonpath, of_class text, ids text[]) returns boolean
    language plpgsql immutable as $$
    begin
      return exists (
        select from jsonb_path_query(base, path) as f (v)
        where v ->> '__type' = 'Pointer' and v ->> 'className' = of_class and v ->> 'objectId' = any(ids));
    end $$;

    -- A value at the path that is one of these.
    create function countersign.some_value(base jsonb, path jsonpath, among jsonb[]) returns boolean
    language plpgsql immutable as $$
    begin
      return exists (select from jsonb_path_query(base, path) as f (v) where v = any(among));
    end $$;

    create function countersign.refuse_write() returns trigger language plpgsql as $$
    begin
      raise exception 'class % is distributed: its table is countersign_shards.%', tg_table_name, tg_table_name
        using errcode = '42P01';
    end $$;

    create function countersign.is_distributed(of_class text) returns boolean language sql stable as $$
      select exists (select from countersign.classes where "className" = of_class and distributed)
    $$;

    create or replace function countersign.add_live_trigger(of_class text) returns boolean language plpgsql as $$
    begin
      if countersign.is_distributed(of_class) then
        perform pg_advisory_xact_lock(hashtext('countersign:write'), hashtext(of_class));
        update countersign.live_classes set logged = true where class_name = of_class and not logged;
        return found;
      end if;
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
      if countersign.is_distributed(of_class) then
        if wanted then perform pg_advisory_xact_lock(hashtext('countersign:write'), hashtext(of_class)); end if;
      elsif wanted and not present and to_regclass(format('public.%I', of_class)) is not null then
        execute format('create trigger countersign_webhooks after insert or update or delete on public.%I
          for each row execute function countersign.tell_object(%L)', of_class, of_class);
      elsif present and not wanted then
        execute format('drop trigger countersign_webhooks on public.%I', of_class);
      end if;
    end $$;
  `,
}
