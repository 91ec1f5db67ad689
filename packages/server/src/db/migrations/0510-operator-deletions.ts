import type { Migration } from '../migrate.ts'

export const operatorDeletions: Migration = {
  name: '0510 operator deletions',
  sql: `
    -- An account that an operator deletes is restored by an operator, never by a sign-in of its owner.
    alter table countersign.deletions add column by_operator boolean not null default false;

    -- The console asks for the entries of one person.
    create index audit_actor on countersign.audit (actor, id);
  `,
}
