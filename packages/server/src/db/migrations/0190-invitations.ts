import type { Migration } from '../migrate.ts'

export const invitations: Migration = {
  name: '0190 invitations',
  sql: `
    -- Who may make an account where that takes an invitation. Of the link's secret only a hash is kept.
    create table countersign.invitations (
      id text primary key,
      hash bytea not null unique,
      email text,
      email_key text,
      role text,
      note text,
      created timestamptz(3) not null,
      expires timestamptz(3) not null,
      used timestamptz(3),
      used_by text
    );
    create index invitations_created on countersign.invitations (created);
  `,
}
