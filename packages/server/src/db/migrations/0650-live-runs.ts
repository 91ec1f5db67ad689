import type { Migration } from '../migrate.ts'

export const liveRuns: Migration = {
  name: '0650 live runs',
  sql: `
    -- A database goes back in time only while it is stopped, in another copy of it, or when its tables are replaced. Each
    -- of these changes the run, and with the run the name of the history that positions carry.
    alter table countersign.live_state add column run text not null default '';

    create function countersign.live_run() returns text language sql stable as $$
      select concat_ws('/', extract(epoch from pg_postmaster_start_time()),
        (select oid from pg_database where datname = current_database()),
        pg_relation_filenode('countersign.live_state'))
    $$;

    -- With a nonce, a mark is proof for the history of that name: where it is present, so is everything that was
    -- committed before its transaction got a number. A copy from before the mark does not have it.
    alter table countersign.live_marks add column nonce text;
    alter table countersign.live_marks add column xid xid8 not null default pg_current_xact_id();
  `,
}
