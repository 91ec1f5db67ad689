import type { Migration } from '../migrate.ts'

export const emailCodes: Migration = {
  name: '0150 email codes',
  sql: `
    -- Codes and links that were mailed to sign in. Hashed with secrets that only the asking browser and the mail have.
    create unlogged table countersign.email_codes (
      handle bytea primary key,
      binding bytea not null,
      -- Set where the code confirms a session of this user.
      "user" text references "_User" ("objectId") on delete cascade,
      email text not null,
      email_key text not null,
      code bytea not null,
      -- A code of six digits, which could be guessed.
      is_short boolean not null,
      link bytea not null unique,
      attempts integer not null default 0,
      expires timestamptz not null
    );
    create index email_codes_email_key on countersign.email_codes (email_key);
    create index email_codes_expires on countersign.email_codes (expires);

    -- Codes that were asked for, and wrong ones that were entered, in a window of time.
    create table countersign.email_code_counts (
      key text primary key,
      count integer not null,
      since timestamptz not null
    );
  `,
}
