import type { Migration } from '../migrate.ts'

export const presentWebhooks: Migration = {
  name: '0660 present webhooks',
  sql: `
    -- Waits for a webhook that is being deleted, and leaves it out once it is gone. Without the lock, the delivery could
    -- refer to a webhook that is missing, and the save that caused the event failed.
    create or replace function countersign.tell_event(told text, of_class text, told_body jsonb) returns void
    language plpgsql as $$
    declare made text;
    begin
      insert into countersign.events (id, type, class_name, body, at)
      select gen_random_uuid()::text, told, of_class, told_body, clock_timestamp()
      where exists (select from countersign.webhooks w where countersign.hears(w, told, of_class))
      returning id into made;
      if made is null then return; end if;
      insert into countersign.deliveries ("objectId", webhook, event, "createdAt")
      select gen_random_uuid()::text, w."objectId", made, clock_timestamp()
      from countersign.webhooks w where countersign.hears(w, told, of_class)
      for key share;
      perform pg_notify('countersign_deliveries', '');
    end $$;
  `,
}
