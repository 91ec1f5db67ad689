import type { Migration } from '../migrate.ts'

export const requestIds: Migration = {
  name: '0230 request ids',
  sql: `
    alter table countersign.requests add column request_id text, add column created timestamptz(3);

    -- Operators of parse-server look up with the master key which requests were carried out. What identifies the
    -- caller and what was answered stay out of it.
    create view public."_Idempotency" as
      select encode(id, 'hex') as "objectId", created as "createdAt", created as "updatedAt",
        null::text[] as _rperm, null::text[] as _wperm, null::text[] as _nulls,
        request_id as "reqId", expires::timestamptz(3) as expire
      from countersign.requests where request_id is not null;
  `,
}
