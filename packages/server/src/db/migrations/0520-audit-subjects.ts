import type { Migration } from '../migrate.ts'

export const auditSubjects: Migration = {
  name: '0520 audit subjects',
  sql: `
    -- The history of an object is read by its subject, in a log that only grows.
    create index audit_subject on countersign.audit (subject, id);
  `,
}
