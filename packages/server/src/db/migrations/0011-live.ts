import type { Migration } from '../migrate.ts'

export const live: Migration = {
  name: '0011 live',
  sql: `
    -- What happened to objects of the classes that somebody watches, written in the transaction of the change. The
    -- number grows with every change of the same object; in which order changes are seen, xid decides (live/feed).
    create table countersign.changes (
      id bigserial primary key,
      xid xid8 not null default pg_current_xact_id(),
      at timestamptz not null default clock_timestamp(),
      class_name text not null,
      before jsonb,
      after jsonb
    ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
    create index changes_xid on countersign.changes (xid);

    -- A class that stands here is recorded, as soon as it exists. Servers with subscribers renew the time.
    create table countersign.live_classes (
      class_name text primary key,
      -- The transaction that turned recording on: whoever saw it misses nothing that came after.
      since xid8 not null default pg_current_xact_id(),
      wanted_until timestamptz not null
    );

    -- What lay before which transaction when, so that what is old by the commit, not by the write, can be told.
    create table countersign.live_marks (at timestamptz primary key default clock_timestamp(), before xid8 not null);

    create table countersign.live_state (
      only_one boolean primary key default true check (only_one),
      incarnation text not null,
      -- Changes of earlier transactions are gone.
      kept_from xid8 not null
    );

    -- Numbers of transactions mean something within one history only: not in a copy that was restored elsewhere, and not
    -- after a standby that lacked some of them took over. Where the database does not tell, all count as one.
    create function countersign.incarnation() returns text language plpgsql stable as $$
    begin
      return (select system_identifier::text from pg_control_system())
        || '-' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);
    exception when others then
      return 'unknown';
    end $$;

    insert into countersign.live_state (incarnation, kept_from)
    values (countersign.incarnation(), pg_snapshot_xmin(pg_current_snapshot()));

    -- Applications cannot name a field with a leading underscore, so their rows hold nothing that must stay here.
    create function countersign.log_change() returns trigger language plpgsql as $$
    declare
      own boolean := tg_table_name like '\\_%';
    begin
      if tg_op = 'INSERT' then
        insert into countersign.changes (class_name, after)
        values (tg_table_name, case when own then countersign.visible_row(to_jsonb(new)) else to_jsonb(new) end);
      elsif tg_op = 'DELETE' then
        insert into countersign.changes (class_name, before)
        values (tg_table_name, case when own then countersign.visible_row(to_jsonb(old)) else to_jsonb(old) end);
      elsif new *<> old then
        insert into countersign.changes (class_name, before, after)
        values (tg_table_name,
          case when own then countersign.visible_row(to_jsonb(old)) else to_jsonb(old) end,
          case when own then countersign.visible_row(to_jsonb(new)) else to_jsonb(new) end);
      end if;
      return null;
    end $$;

    create function countersign.add_live_trigger(of_class text) returns boolean language plpgsql as $$
    begin
      if to_regclass(format('public.%I', of_class)) is null or exists (
        select from pg_trigger
        where tgname = 'countersign_live' and tgrelid = to_regclass(format('public.%I', of_class))
      ) then
        return false;
      end if;
      -- In a transaction with countersign.quiet nothing is told: for work that fills tables with what is long past.
      execute format('create trigger countersign_live after insert or update or delete on public.%I for each row
        when (current_setting(''countersign.quiet'', true) is distinct from ''on'')
        execute function countersign.log_change()', of_class);
      return true;
    end $$;

    -- Making a trigger waits for those who are writing the table, so none of their changes is missing afterwards.
    -- Answers whether it was made now, so that earlier changes are not in the log.
    create function countersign.record_class(of_class text, for_time interval) returns boolean language plpgsql as $$
    declare
      made boolean;
    begin
      perform pg_advisory_xact_lock(hashtext('countersign:live'), hashtext(of_class));
      insert into countersign.live_classes as known (class_name, wanted_until)
      values (of_class, clock_timestamp() + for_time)
      on conflict (class_name) do update
        set wanted_until = greatest(known.wanted_until, excluded.wanted_until);
      made := countersign.add_live_trigger(of_class);
      if made then
        update countersign.live_classes set since = pg_current_xact_id() where class_name = of_class;
      end if;
      return made;
    end $$;

    create function countersign.forget_class(of_class text) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtext('countersign:live'), hashtext(of_class));
      delete from countersign.live_classes where class_name = of_class and wanted_until < clock_timestamp();
      if found and to_regclass(format('public.%I', of_class)) is not null then
        execute format('drop trigger if exists countersign_live on public.%I', of_class);
      end if;
    end $$;

    -- A class may be made while it is watched already, and dropped and made again.
    create function countersign.follow_class() returns trigger language plpgsql as $$
    declare
      of_class text := coalesce(new."className", old."className");
    begin
      perform pg_advisory_xact_lock(hashtext('countersign:live'), hashtext(of_class));
      if not exists (select from countersign.live_classes where class_name = of_class) then return null; end if;
      if tg_op = 'INSERT' then
        perform countersign.add_live_trigger(of_class);
      else
        -- Its objects went without a word, so nobody who saw them can go on from there.
        update countersign.live_classes set since = pg_current_xact_id() where class_name = of_class;
      end if;
      return null;
    end $$;
    create trigger countersign_live after insert or delete on countersign.classes
      for each row execute function countersign.follow_class();

    create function countersign.tell_live_classes() returns trigger language plpgsql as $$
    begin
      perform pg_notify('countersign_live', '');
      return null;
    end $$;
    create trigger countersign_tell after insert or delete on countersign.live_classes
      for each row execute function countersign.tell_live_classes();
  `,
}
