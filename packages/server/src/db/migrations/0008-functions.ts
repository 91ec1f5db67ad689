import type { Migration } from '../migrate.ts'

export const functions: Migration = {
  name: '0008 functions',
  sql: `
    -- Runs that are waiting or under way; what became of them stands in "_JobStatus" under the same id.
    create table countersign.job_runs (
      id text primary key,
      job text not null,
      params jsonb not null,
      -- Which schedule asked for it, and for when. Several servers may notice the same tick.
      schedule text,
      tick timestamptz,
      due timestamptz not null,
      -- Drawn anew for each start, so that a runner that lost its run cannot speak for the next one.
      runner text,
      lease_until timestamptz,
      starts integer not null default 0,
      failures integer not null default 0,
      losses integer not null default 0,
      unique (schedule, tick)
    );
    create index job_runs_due on countersign.job_runs (due);

    create table countersign.schedules (
      id text primary key,
      last_tick timestamptz not null,
      seen timestamptz not null
    );

    create table countersign.webhooks (
      "objectId" text primary key,
      "createdAt" timestamptz(3) not null,
      "updatedAt" timestamptz(3) not null,
      url text not null,
      events text[] not null,
      -- Null: every class of the application. Those of the server are named one by one.
      classes text[],
      description text,
      enabled boolean not null default true,
      secret bytea not null
    );

    create table countersign.events (
      id text primary key,
      type text not null,
      class_name text,
      body jsonb not null,
      at timestamptz(3) not null
    );
    create index events_at on countersign.events (at);

    create table countersign.deliveries (
      "objectId" text primary key,
      webhook text not null references countersign.webhooks ("objectId") on delete cascade,
      event text not null references countersign.events (id) on delete cascade,
      "createdAt" timestamptz(3) not null,
      status text not null default 'pending',
      attempts integer not null default 0,
      due timestamptz not null default '-infinity',
      runner text,
      lease_until timestamptz,
      last_attempt timestamptz(3),
      response_status integer,
      response text,
      error text
    );
    create index deliveries_webhook on countersign.deliveries (webhook, "createdAt" desc);
    create index deliveries_event on countersign.deliveries (event);
    create index deliveries_due on countersign.deliveries (due) where status = 'pending';

    -- Functions and hooks of the application that run elsewhere, as /hooks of parse-server has them.
    create table countersign.remote_code (
      -- Of a function; of a hook it is empty.
      function_name text not null default '',
      class_name text not null default '',
      trigger_name text not null default '',
      url text not null,
      primary key (function_name, class_name, trigger_name)
    );

    -- Columns with a leading underscore never leave the server, but for the access list and the nulls.
    create function countersign.visible_row(stored jsonb) returns jsonb language sql immutable as $$
      select jsonb_object_agg(key, value) from jsonb_each(stored)
      where key !~ '^_' or key in ('_rperm', '_wperm', '_nulls')
    $$;

    -- Called in the transaction of the change, so that what is told and what happened are the same.
    create function countersign.tell_event(told text, of_class text, told_body jsonb) returns void language plpgsql as $$
    declare made text;
    begin
      insert into countersign.events (id, type, class_name, body, at)
      select gen_random_uuid()::text, told, of_class, told_body, clock_timestamp()
      where exists (select from countersign.webhooks w where countersign.hears(w, told, of_class))
      returning id into made;
      if made is null then return; end if;
      insert into countersign.deliveries ("objectId", webhook, event, "createdAt")
      select gen_random_uuid()::text, w."objectId", made, clock_timestamp()
      from countersign.webhooks w where countersign.hears(w, told, of_class);
      perform pg_notify('countersign_deliveries', '');
    end $$;

    create function countersign.hears(hook countersign.webhooks, told text, of_class text) returns boolean
    language sql immutable as $$
      select hook.enabled and told = any(hook.events) and (
        of_class is null or of_class = any(hook.classes) or (hook.classes is null and of_class !~ '^_')
      )
    $$;

    create function countersign.tell_object() returns trigger language plpgsql as $$
    begin
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

    create function countersign.tell_activity() returns trigger language plpgsql as $$
    begin
      perform countersign.tell_event('user.' || new.action, null,
        jsonb_build_object('user', new."user", 'details', new.details));
      return null;
    end $$;

    -- A class that nobody listens to has no trigger, and so no cost.
    create function countersign.watch_class(of_class text) returns void language plpgsql as $$
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
          for each row execute function countersign.tell_object()', of_class);
      elsif present and not wanted then
        execute format('drop trigger countersign_webhooks on public.%I', of_class);
      end if;
    end $$;

    -- The lock lets no class slip through that is made while a webhook is.
    create function countersign.watch_new_class() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(7166182913);
      perform countersign.watch_class(new."className");
      return null;
    end $$;
    create trigger countersign_webhooks after insert on countersign.classes
      for each row execute function countersign.watch_new_class();

    create function countersign.watch_classes() returns trigger language plpgsql as $$
    declare wanted boolean; present boolean;
    begin
      perform pg_advisory_xact_lock(7166182913);
      perform countersign.watch_class("className") from countersign.classes order by "className";
      wanted := exists (select from countersign.webhooks w, unnest(w.events) told where w.enabled and told ~ '^user[.]');
      present := exists (select from pg_trigger
        where tgname = 'countersign_webhooks' and tgrelid = 'countersign.activity'::regclass);
      if wanted and not present then
        create trigger countersign_webhooks after insert on countersign.activity
          for each row execute function countersign.tell_activity();
      elsif present and not wanted then
        drop trigger countersign_webhooks on countersign.activity;
      end if;
      return null;
    end $$;
    create trigger countersign_webhooks after insert or update or delete on countersign.webhooks
      for each statement execute function countersign.watch_classes();
  `,
}
