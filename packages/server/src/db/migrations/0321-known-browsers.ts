import type { Migration } from '../migrate.ts'

export const knownBrowsers: Migration = {
  name: '0321 known browsers',
  sql: `
    -- Browsers and installations from which somebody signed in to an account. They open nothing: their requests are
    -- counted apart from those of strangers.
    create table countersign.known_browsers (
      "user" text not null references "_User" ("objectId") on delete cascade,
      hash bytea not null,
      seen timestamptz(3) not null,
      primary key ("user", hash)
    );
  `,
}
