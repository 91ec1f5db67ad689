import type { Migration } from '../migrate.ts'

export const anonymousUsers: Migration = {
  name: '0010 anonymous users',
  sql: `
    -- SHA-256 of the id by which the client of an anonymous user signs in: it opens the account like a password.
    alter table "_User" add column "_anonymous" bytea;
    create unique index "_User_anonymous" on "_User" ("_anonymous") where "_anonymous" is not null;
  `,
}
