import type { Migration } from '../migrate.ts'

export const impersonation: Migration = {
  name: '0275 impersonation',
  sql: `
    -- Who opened a session for its user, as the audit log names them: operator:<user id>, or masterKey.
    alter table "_Session" add column "_opened_by" text;

    -- What an operator does to an account, or in it, is the operator's. The account is the subject.
    create or replace function countersign.audit_activity() returns trigger language plpgsql as $$
    begin
      insert into countersign.audit (at, actor, action, subject, details, address)
      values (new.at, coalesce(new.details ->> 'actor', 'user:' || new."user"), 'account.' || new.action, new."user",
        new.details, new."ipAddress");
      return null;
    end $$;
  `,
}
