import type { Migration } from '../migrate.ts'

export const addedMethods: Migration = {
  name: '0360 added methods',
  sql: `
    -- When the first of a line of sessions began, where this one continues another: after a new password, or opened by one.
    alter table "_Session" add column "_began" timestamptz(3);

    -- Links that undo what was added to an account, together with a proof that the account had before.
    create table countersign.added_methods (
      hash bytea primary key,
      "user" text not null references "_User" ("objectId") on delete cascade,
      -- The verified address that the link went to, as it was then.
      email text not null,
      email_added timestamptz(3),
      verified_outside boolean not null,
      added timestamptz(3) not null,
      -- When the session began that added it.
      began timestamptz(3) not null,
      -- What was added to the account since then ends with the undo; a proof is older than that.
      reaches timestamptz(3) not null,
      expires timestamptz(3) not null
    );
    create index added_methods_user on countersign.added_methods ("user", added);
    create index added_methods_expires on countersign.added_methods (expires);

    -- A second factor that was turned off or replaced. The undo of a newer one returns it.
    create table countersign.removed_factors (
      "user" text primary key references "_User" ("objectId") on delete cascade,
      secret bytea,
      confirmed timestamptz(3),
      last_step bigint not null,
      by_passkey boolean not null,
      created timestamptz(3) not null,
      expires timestamptz(3) not null
    );
    create index removed_factors_expires on countersign.removed_factors (expires);

    -- Passwords that were replaced by somebody who did not show them.
    create table countersign.replaced_passwords (
      "user" text not null references "_User" ("objectId") on delete cascade,
      hash text not null,
      replaced timestamptz(3) not null,
      expires timestamptz(3) not null,
      primary key ("user", replaced)
    );
    create index replaced_passwords_expires on countersign.replaced_passwords (expires);
  `,
}
