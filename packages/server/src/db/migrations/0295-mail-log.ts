import type { Migration } from '../migrate.ts'

export const mailLog: Migration = {
  name: '0295 mail log',
  sql: `
    -- What became of mails that were given to an SMTP server. Never what they say: they hold links that open accounts.
    create table countersign.mail_log (
      id bigint generated always as identity primary key,
      recipient text not null,
      kind text not null,
      at timestamptz(3) not null,
      ms integer not null,
      -- Why the mail server did not take it; null where it did.
      error text
    );
    create index mail_log_at on countersign.mail_log (at);
  `,
}
