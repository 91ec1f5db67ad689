import type { Migration } from '../migrate.ts'

export const failedSignIns: Migration = {
  name: '0490 failed sign-ins',
  sql: `
    -- Refused sign-in attempts, for operators. Nothing that was typed: a name may be a password in the wrong field.
    create table countersign.failed_sign_ins (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null,
      method text not null,
      is_incomplete boolean not null,
      reason text not null,
      -- The account that the attempt named; null if there is none.
      "user" text references "_User" ("objectId") on delete cascade,
      "ipAddress" text,
      "userAgent" text,
      -- Equal attempts that share this row.
      count integer not null
    );
    create index failed_sign_ins_at on countersign.failed_sign_ins (at);
    create index failed_sign_ins_user on countersign.failed_sign_ins ("user") where "user" is not null;
    -- Successful sign-ins of all accounts, in the order of time.
    create index activity_sign_ins on countersign.activity (at) where action in ('signIn', 'signUp');
  `,
}
