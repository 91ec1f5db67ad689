import type { Migration } from '../migrate.ts'

export const classParts: Migration = {
  name: '0381 class parts',
  sql: `
    -- Parts of partitioned classes. Apart from the classes, so that no name of a part takes that of a class.
    create schema if not exists countersign_parts;

    -- Layouts that the configuration asks for; * stands for every other class of the application.
    create table countersign.class_parts (class_name text primary key, layout jsonb not null);

    -- Classes that are being copied into another layout, and how far the copy is. A backup holds a lock on this table
    -- for as long as it reads: with its older snapshot it would find the new table of a class empty.
    create table countersign.class_moves (
      class_name text primary key,
      layout jsonb not null,
      copied_to text not null default '',
      copied bigint not null default 0,
      started timestamptz not null default clock_timestamp()
    );

    -- Notes the objects that change while their class is copied. The argument is the table of these notes.
    create function countersign.note_move() returns trigger language plpgsql as $$
    begin
      execute format('insert into countersign_parts.%I ("objectId") values ($1)', tg_argv[0])
        using case when tg_op = 'DELETE' then old."objectId" else new."objectId" end;
      return null;
    end $$;

    -- Adds the part of one month to a class that is partitioned by month. Objects of that month which lie in the part
    -- for everything else move over. Attaching a table, unlike making a part, lets others read and write meanwhile.
    create function countersign.add_month_part(parent regclass, at timestamptz) returns boolean
    language plpgsql as $$
    declare
      of_class text := (select relname from pg_class where oid = parent);
      from_time timestamptz := date_trunc('month', at, 'UTC');
      to_time timestamptz := date_trunc('month', date_trunc('month', at, 'UTC') + interval '45 days', 'UTC');
      part text := format('%s~%s~%s', left(of_class, 40), substr(md5(of_class || parent::oid::text), 1, 8),
        to_char(date_trunc('month', at, 'UTC') at time zone 'UTC', 'YYYY-MM'));
      rest regclass;
      quiet text := coalesce(current_setting('countersign.quiet', true), '');
    begin
      -- Times that nobody means: they stay in the part for everything else.
      if at is null or at < '2000-01-01Z' or at > clock_timestamp() + interval '1 year' then return false; end if;
      if to_regclass(format('countersign_parts.%I', part)) is not null then return false; end if;
      perform pg_advisory_xact_lock(hashtext('countersign:parts'), hashtext(of_class));
      if to_regclass(format('countersign_parts.%I', part)) is not null then return false; end if;
      execute format('create table countersign_parts.%I (like %s including defaults including storage,
        primary key ("objectId"))', part, parent);
      select i.inhrelid::regclass into rest from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = parent and pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT';
      if rest is not null then
        perform set_config('countersign.quiet', 'on', true);
        execute format('with moved as (delete from %s where "createdAt" >= $1 and "createdAt" < $2 returning *)
          insert into countersign_parts.%I select * from moved', rest, part) using from_time, to_time;
        perform set_config('countersign.quiet', quiet, true);
      end if;
      execute format('alter table %s attach partition countersign_parts.%I for values from (%L) to (%L)',
        parent, part, from_time, to_time);
      return true;
    end $$;

    -- No index covers all months, so this keeps an objectId from being used twice. Objects of the current month are
    -- kept apart by the primary key of its part; they come in together. An object of any other month, and every one
    -- within five minutes of the turn of a month, comes in alone.
    create function countersign.guard_id() returns trigger language plpgsql as $$
    declare
      parent regclass := pg_partition_root(tg_relid);
      from_time timestamptz := date_trunc('month', new."createdAt", 'UTC');
      is_used boolean;
    begin
      if from_time = date_trunc('month', clock_timestamp() - interval '5 minutes', 'UTC')
        and from_time = date_trunc('month', clock_timestamp() + interval '5 minutes', 'UTC') then
        perform pg_advisory_xact_lock_shared(hashtext('countersign:ids'), parent::oid::integer);
      else
        perform pg_advisory_xact_lock(hashtext('countersign:ids'), parent::oid::integer);
      end if;
      execute format('select exists (select from %s where "objectId" = $1)', parent) into is_used using new."objectId";
      if is_used then
        raise exception 'duplicate key value violates unique constraint of %', parent using errcode = '23505';
      end if;
      return new;
    end $$;
  `,
}
