import type { Migration } from '../migrate.ts'

export const usersAndSessions: Migration = {
  name: '0002 users and sessions',
  sql: `
      create table "_User" (
        "objectId" text primary key,
        "createdAt" timestamptz(3) not null,
        "updatedAt" timestamptz(3) not null,
        "_rperm" text[],
        "_wperm" text[],
        "_nulls" text[],
        "username" text not null,
        "email" text,
        "emailVerified" boolean,
        "_password_hash" text,
        -- Names are one person's without regard to case or to look-alike code points.
        "_username_key" text not null,
        "_email_key" text,
        -- Lets a sign-up whose answer was lost be repeated by the same client.
        "_sign_up_request" text
      );
      create unique index "_User_username" on "_User" ("_username_key");
      create unique index "_User_email" on "_User" ("_email_key");

      create table "_Session" (
        "objectId" text primary key,
        "createdAt" timestamptz(3) not null,
        "updatedAt" timestamptz(3) not null,
        "_rperm" text[],
        "_wperm" text[],
        "_nulls" text[],
        "_token_hash" bytea not null,
        "user" text not null references "_User" ("objectId") on delete cascade,
        "expiresAt" timestamptz(3) not null,
        "createdWith" jsonb not null,
        "installationId" text,
        "userAgent" text,
        "ipAddress" text,
        "lastUsedAt" timestamptz(3)
      );
      create unique index "_Session_token" on "_Session" ("_token_hash");
      create index "_Session_user" on "_Session" ("user", "installationId");

      insert into countersign.classes ("className", fields) values
        ('_User', '[["username",{"type":"String"}],["email",{"type":"String"}],["emailVerified",{"type":"Boolean"}]]'),
        ('_Session', '[["user",{"type":"Pointer","targetClass":"_User"}],["expiresAt",{"type":"Date"}],["createdWith",{"type":"Object"}],["installationId",{"type":"String"}],["userAgent",{"type":"String"}],["ipAddress",{"type":"String"}],["lastUsedAt",{"type":"Date"}]]');

      -- Whoever changes a user or ends a session, by whatever way, tells every server to forget what it cached.
      create function countersign.tell_user_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('countersign_users', coalesce(old."objectId", ''));
        return null;
      end $$;
      create trigger "countersign_tell" after update or delete on "_User"
        for each row execute function countersign.tell_user_changed();

      create function countersign.tell_session_ended() returns trigger language plpgsql as $$
      begin
        perform pg_notify('countersign_sessions', encode(old."_token_hash", 'base64'));
        return null;
      end $$;
      create trigger "countersign_tell" after delete or update of "expiresAt", "user", "_token_hash" on "_Session"
        for each row execute function countersign.tell_session_ended();
    `,
}
