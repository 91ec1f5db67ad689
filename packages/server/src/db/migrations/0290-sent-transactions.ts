import type { Migration } from '../migrate.ts'

export const sentTransactions: Migration = {
  name: '0290 sent transactions',
  sql: `
    -- Transactions that users sent and have followed. What became of each is in the document that it names.
    create table countersign.sent_transactions (
      id bigint generated always as identity primary key,
      "user" text not null,
      chain bigint not null,
      hash text not null,
      class_name text not null,
      object_id text not null,
      status text not null,
      -- Of its account, which is known once a node has seen the transaction.
      sender text,
      nonce numeric,
      block bigint,
      block_hash text,
      created timestamptz(3) not null,
      -- When a node last knew of it.
      seen timestamptz(3) not null,
      due timestamptz(3) not null,
      -- Nothing more will become of it.
      ended boolean not null default false,
      unique ("user", chain, hash)
    );
    create index sent_transactions_due on countersign.sent_transactions (due);
  `,
}
