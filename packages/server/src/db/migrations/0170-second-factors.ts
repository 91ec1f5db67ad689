import type { Migration } from '../migrate.ts'

export const secondFactors: Migration = {
  name: '0170 second factors',
  sql: `
    create table countersign.second_factors (
      "user" text primary key references "_User" ("objectId") on delete cascade,
      -- The secret of an authenticator app, sealed.
      secret bytea,
      -- Null while the app has shown no code yet: nothing is asked for until then.
      confirmed timestamptz(3),
      -- The last 30 seconds whose code was used.
      last_step bigint not null default 0,
      -- A passkey is asked for after the first proof, also without an app.
      by_passkey boolean not null default false,
      created timestamptz(3) not null
    );

    -- Browsers on which the second factor is not asked for again.
    create table countersign.remembered_devices (
      hash bytea primary key,
      "user" text not null references "_User" ("objectId") on delete cascade,
      created timestamptz(3) not null,
      expires timestamptz(3) not null
    );
    create index remembered_devices_user on countersign.remembered_devices ("user");
    create index remembered_devices_expires on countersign.remembered_devices (expires);
  `,
}
