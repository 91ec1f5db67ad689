import type { Migration } from '../migrate.ts'

export const recovery: Migration = {
  name: '0015 recovery',
  sql: `
    -- Codes for the day when every other way in is lost. Each opens the account once.
    create table countersign.recovery_codes (
      "user" text not null references "_User" ("objectId") on delete cascade,
      hash bytea not null,
      created timestamptz(3) not null,
      used timestamptz(3),
      primary key ("user", hash)
    );
    -- What an owner set for the account itself; without a row the defaults hold.
    create table countersign.account_settings (
      "user" text primary key references "_User" ("objectId") on delete cascade,
      sign_in_alerts boolean not null default true
    );
  `,
}
